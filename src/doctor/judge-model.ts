import type { DoctorFacts, ModelFact, ReplyFact, TokensFact } from './facts.js';
import { type Check, checksOf } from './report.js';

const { ok, attention, problem } = checksOf('model');
type FoundFact = Extract<ModelFact, { kind: 'found' }>;

/** Whether the model answers, and what a review needs to know of it. */
export function judgeModel(facts: DoctorFacts, hasServer: boolean): Check[] {
  const { model, tokens } = facts;
  switch (model.kind) {
    case 'unasked':
      return [];
    case 'none':
      return [judgeAbsence(model.reason, hasServer)];
    case 'late': {
      const late = `no model was ready within ${model.afterMs} ms: see what the server is doing`;
      return [judgeAbsence(late, hasServer)];
    }
    case 'found':
      return [
        judgeReply(model),
        ok('window', `${model.contextWindow} tokens`),
        judgeSchema(model),
        judgeProtocol(model),
        ...judgeTokens(tokens),
        judgeLanguage(model.languages, facts.language),
      ];
    default: {
      const never: never = model;
      return never;
    }
  }
}

/** Reasons end with the next step. Where the server is the trouble, its own line has said so. */
function judgeAbsence(reason: string, hasServer: boolean): Check {
  const at = reason.lastIndexOf(': ');
  const message = at === -1 ? reason : reason.slice(0, at);
  const fix = at === -1 ? undefined : reason.slice(at + 2);
  return hasServer
    ? problem('model', message, fix)
    : attention('model', `none, because ${message}`);
}

function judgeReply({ name, reply }: FoundFact): Check {
  if (reply.kind === 'answered') {
    return ok('model', `${name} answered a small question in ${seconds(reply.ms)}`);
  }
  const message = `${name} did not answer a small question (${reply.kind}: ${reply.message})`;
  const fix = PASSING[reply.kind];
  return fix === undefined
    ? problem('model', message, 'see what the server writes on its standard error')
    : attention('model', message, fix);
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Failures that a review gets over, or meets once in a while. */
const PASSING: Partial<Readonly<Record<ReplyFact['kind'], string>>> = {
  refused: 'run it again; a refusal depends on chance',
  blocked: 'run it again; the guardrail depends on chance',
  'rate-limited': 'wait a little, and plug the Mac in',
  busy: 'wait until the others are done',
  loading: 'wait until the model is loaded',
  'timed-out': 'run it again; a cold model takes longer',
};

function judgeSchema({ schema, isApfel }: FoundFact): Check {
  if (schema === 'honoured') return ok('schema', 'replies are decoded under a JSON schema');
  if (schema === 'unknown') return attention('schema', 'not known whether schemas are honoured');
  return isApfel
    ? attention(
        'schema',
        'json_schema is ignored, as by a server that was started with --mcp',
        'start it without --mcp: apfel --serve',
      )
    : attention('schema', 'json_schema is ignored by this server', '--protocol native or text');
}

const judgeProtocol = ({ calibrated }: FoundFact): Check =>
  ok(
    'protocol',
    calibrated === undefined
      ? 'not measured yet: auto goes by the server; apfel-bot calibrate measures'
      : `${calibrated}, as measured by apfel-bot calibrate`,
  );

function judgeTokens(tokens: TokensFact | undefined): Check[] {
  if (tokens === undefined || tokens.estimated === 0) return [];
  const share = Math.round((100 * tokens.actual) / tokens.estimated);
  const message = `apfel counts ${share} % of the tokens that apfel-bot estimates`;
  // An estimate below the count would let requests overflow; the factor remembered mends that.
  return [ok('tokens', `${message}; the estimate is corrected by it`)];
}

const MOST_SHOWN = 20;

/** Text in a language the model does not speak is refused by the server. */
export function judgeLanguage(supported: readonly string[], locale: string | undefined): Check {
  const { ok, attention } = checksOf('machine');
  const language = languageOf(locale);
  const shown = supported.slice(0, MOST_SHOWN).join(', ');
  const more = supported.length > MOST_SHOWN ? ', ...' : '';
  if (supported.length === 0) {
    return ok('language', 'the server does not say which languages the model speaks');
  }
  const has = `the model speaks ${shown}${more}`;
  if (language === undefined) return ok('language', `${has}; no language is set here`);
  return supported.some(each => languageOf(each) === language)
    ? ok('language', `${has}; yours is ${language}`)
    : attention(
        'language',
        `${has}; yours is ${language}, and text in it may be refused`,
        'set the language of macOS and of Siri to one of these',
      );
}

/** `de` of `de_DE.UTF-8`, `de-AT` and `DE`; undefined where no language is meant, as in `C`. */
function languageOf(locale: string | undefined): string | undefined {
  const [language = ''] = (locale ?? '').slice(0, 40).split(/[-_.@]/);
  return /^[a-z]{2,3}$/i.test(language) ? language.toLowerCase() : undefined;
}
