/**
 * Whether a plain answer is a refusal. The server marks only some; the others are ordinary text, a
 * short apology from the first word on.
 */
export function isRefusal(text: string): boolean {
  const start = opening(text);
  return text.trim().length <= LONGEST_APOLOGY && DECLINES.some(pattern => pattern.test(start));
}

/** A real answer continues after its apology. */
const LONGEST_APOLOGY = 400;
const OPENING = 160;

const opening = (text: string): string =>
  text.trim().slice(0, OPENING).replaceAll('’', "'").replace(/\s+/g, ' ').toLowerCase();

const UNWILLING =
  "(?:can't|cannot|can not|won't|will not|am unable to|am not able to|'m unable to|'m not able to)";
const HELPING =
  '(?:assist|help|fulfil|fulfill|comply|provide|do that|do this|process|complete|continue|answer|respond|engage|discuss|support|generate|create|perform|handle|proceed|review|analy[sz]e|evaluate|examine)';

const DECLINES = [
  new RegExp(
    `^(?:i'm |i am |we're )?(?:(?:very|so|really|truly) )?(?:sorry|afraid|(?:i |my )?apolog(?:i[sz]e|ies))\\b.{0,40}\\bi ?${UNWILLING}`,
  ),
  new RegExp(`^(?:unfortunately,? |as an? [^.,]{0,60}, ?)?i ?${UNWILLING} (?:\\w+ )?${HELPING}`),
  /^(?:i'm |i am )?sorry,? (?:but )?(?:that|this) (?:request|is not|isn't|goes)/,
  /^(?:i )?(?:must|have to) (?:decline|refuse)\b/,
  /^es tut mir leid\b.{0,60}\bnicht\b/,
  /^(?:je suis )?désolée?[ ,.].{0,60}\b(?:ne peux pas|ne puis)/,
  /^lo siento\b.{0,60}\bno puedo\b/,
  /^mi dispiace\b.{0,60}\bnon posso\b/,
  /^(?:desculpe|lamento|sinto muito)\b.{0,60}\bnão posso\b/,
  /^(?:很|非常|十分)?(?:抱歉|对不起|對不起|遗憾|遺憾).{0,60}(?:不能|无法|無法)/,
  /^(?:大変)?(?:申し訳|すみません|ごめんなさい).{0,80}でき(?:ません|ない|かね)/,
  /^죄송.{0,80}수 없/,
  /^(?:к сожалению|извините|простите|прошу прощения).{0,60}не (?:могу|смогу)/,
  /^(?:przepraszam|przykro mi|niestety).{0,60}nie (?:mogę|jestem w stanie)/,
  /^(?:het spijt me|sorry|helaas).{0,60}\b(?:kan ik|ik kan)\b.{0,40}\b(?:niet|geen)\b/,
  /^(?:tyvärr|förlåt|beklager|desværre|jeg beklager).{0,60}\b(?:kan jag|jag kan|kan jeg|jeg kan)\b.{0,40}\b(?:inte|ikke)\b/,
  /^(?:üzgünüm|maalesef|özür dilerim).{0,80}(?:emem|amam|emiyorum|amıyorum)/,
  /^(?:leider|entschuldigung|tut mir leid).{0,60}\b(?:kann ich|ich kann)\b.{0,40}\bnicht\b/,
  /^(?:lamentablemente|disculpa|désolé|malheureusement|purtroppo|infelizmente).{0,60}\b(?:no puedo|ne peux pas|non posso|não posso)\b/,
];
