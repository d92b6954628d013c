import { EDITS, PLANTED, type PlantedBug } from './planted.js';

/** A request as far as the script reads it. */
export interface ScriptedRequest {
  readonly messages: ReadonlyArray<{ readonly role: string; readonly text: string }>;
  /** Keys of the object that is to be answered with; some carry a letter in front. */
  readonly keys: readonly string[];
}

type Action = Readonly<Record<string, string>>;

/**
 * Plays the model: finds what is planted, holds to it when asked to refute it, mends what it has a
 * mending for, and is done with everything else. It reads the request as a model would have to.
 */
export function scriptedAnswer({ messages, keys }: ScriptedRequest): string {
  const action = nextAction(messages);
  const named = keys.flatMap(key => {
    const value = action[key.replace(/^[a-z]_/, '')];
    return value === undefined ? [] : [[key, value] as const];
  });
  return JSON.stringify(keys.length === 0 ? action : Object.fromEntries(named));
}

function nextAction(messages: ScriptedRequest['messages']): Action {
  const opening = messages.find(({ role }) => role === 'user')?.text ?? '';
  const last = messages.at(-1)?.text ?? '';
  if (last.includes('Is the claim wrong')) {
    return done('holds: the line reads as claimed', 'the claim fits the line');
  }
  if (/^Mend (?:it|this) in /m.test(opening)) return mending(opening, messages.length > 2);
  const answered = messages.filter(({ text }) => RESULT.test(text)).length;
  return reports(opening)[answered] ?? done('nothing', 'nothing else is wrong');
}

const RESULT = /^(?:noted at |error: )/m;

const done = (answer: string, reason: string): Action => ({ reason, action: 'finish', answer });

function mending(opening: string, hasTried: boolean): Action {
  const edit = EDITS.find(({ about, path }) => opening.includes(about) && opening.includes(path));
  if (edit === undefined || hasTried) return done('nothing', 'no mending is scripted for this');
  const { path, oldText, newText } = edit;
  return { reason: 'the smallest edit that helps', action: 'edit_file', path, oldText, newText };
}

/** One for each line shown that has something planted in it, in the order of the lines. */
function reports(opening: string): Action[] {
  let path = '';
  return opening.split('\n').flatMap(row => {
    path = /^file ([^\n,]+)/.exec(row)?.[1] ?? path;
    const [, mark, text = ''] = /^\+(\d+#\w+)\| (.*)$/.exec(row) ?? [];
    const bug = PLANTED.find(each => each.path === path && text.includes(each.quote));
    return mark === undefined || bug === undefined ? [] : [report(mark, bug)];
  });
}

const report = (line: string, { path, quote, misquote, message }: PlantedBug): Action => ({
  reason: 'this line does not do what it should',
  action: 'report_finding',
  line,
  quote: misquote ?? quote,
  severity: 'error',
  message,
  path,
});
