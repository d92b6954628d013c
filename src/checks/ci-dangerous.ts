import { type Hit, type LineCheck, type LineJudge, type NewSideLine, NO_HITS } from './check.js';

/** Edits of GitHub workflows and actions that hand a stranger the token or a shell. */
export const ciDangerous: LineCheck = {
  rules: { 'ci/dangerous': 'error' },
  guards: false,
  open: file => (WORKFLOW.test(file.path) ? openJudge() : undefined),
};

const WORKFLOW = /(?:^|\/)\.github\/workflows\/[^/]+\.ya?ml$|(?:^|\/)action\.ya?ml$/i;

function openJudge(): LineJudge {
  const read = workflowLines();
  let hasPrivilegedTrigger = false;
  return line => {
    const seen = read(line);
    if (seen.part !== 'script' && PRIVILEGED_TRIGGER.test(seen.yaml)) hasPrivilegedTrigger = true;
    if (!line.isAdded) return NO_HITS;
    const rules = seen.part === 'script' ? SCRIPT_RULES : YAML_RULES;
    for (const rule of rules) {
      const found = rule({ ...seen, hasPrivilegedTrigger });
      if (found !== undefined) return [toHit(found)];
    }
    return NO_HITS;
  };
}

interface Situation extends WorkflowLine {
  /** A trigger with secrets and a write token that strangers can pull was seen in this file. */
  readonly hasPrivilegedTrigger: boolean;
}

interface Danger {
  readonly start: number;
  readonly end: number;
  readonly why: string;
}

type Rule = (situation: Situation) => Danger | undefined;

const toHit = ({ start, end, why }: Danger): Hit => ({
  rule: 'ci/dangerous',
  message: why,
  column: start + 1,
  endColumn: end + 1,
});

// A trigger stands as a key, as an item of a list, or behind `on:`; elsewhere it is only mentioned.
const PRIVILEGED_TRIGGER =
  /^\s*(?:-\s+)?["']?(?:pull_request_target|issue_comment)["']?\s*(?::.*)?$|^\s*["']?on["']?\s*:.*\b(?:pull_request_target|issue_comment)\b/;
const TARGET_TRIGGER =
  /^\s*(?:-\s+)?["']?(pull_request_target)["']?\s*(?::.*)?$|^\s*["']?on["']?\s*:.*\b(pull_request_target)\b/;

const pullRequestTarget: Rule = ({ yaml }) => {
  if (!yaml.includes('pull_request_target') || !TARGET_TRIGGER.test(yaml)) return undefined;
  const start = yaml.indexOf('pull_request_target');
  return {
    start,
    end: start + 'pull_request_target'.length,
    why: 'pull_request_target runs with secrets and a write token on pull requests from anyone. Use pull_request; if it must stay, never check out or run anything of the pull request in it.',
  };
};

const HEAD_OF_PULL =
  /^\s*(?:-\s+)?(?:ref|repository)\s*:.*(?:github\.event\.pull_request\.head\b|github\.head_ref\b|refs\/pull\/)/;

const checkoutOfHead: Rule = ({ yaml, hasPrivilegedTrigger }) =>
  hasPrivilegedTrigger && HEAD_OF_PULL.test(yaml)
    ? whole(
        yaml,
        "This checks out a stranger's code in a run that has secrets and a write token. Do it in a pull_request workflow and hand the result over as an artifact.",
      )
    : undefined;

const writeAll: Rule = ({ yaml }) =>
  /^\s*permissions\s*:\s*["']?write-all\b/.test(yaml)
    ? whole(
        yaml,
        'write-all gives every step of every action the right to change everything. Name the permissions that are needed, such as contents: read.',
      )
    : undefined;

const unsafeSwitch: Rule = ({ yaml }) =>
  /^\s*(?:-\s+)?(?:allow-unsafe-pr-checkout|ACTIONS_ALLOW_UNSECURE_COMMANDS)\s*:\s*["']?true\b/i.test(
    yaml,
  )
    ? whole(
        yaml,
        'This switches a protection of GitHub Actions off. Leave it out and do the work in a pull_request workflow or through the environment files.',
      )
    : undefined;

const selfHosted: Rule = ({ yaml, hasPrivilegedTrigger }) =>
  hasPrivilegedTrigger && /^\s*runs-on\s*:.*\bself-hosted\b/.test(yaml)
    ? whole(
        yaml,
        'A machine of your own that strangers can start work on keeps what they leave behind. Use a hosted runner for this trigger.',
      )
    : undefined;

const allSecrets: Rule = ({ text }) => {
  for (const { start, end, inner } of expressions(text)) {
    if (!/\btojson\(\s*secrets\s*\)/i.test(inner)) continue;
    return {
      start,
      end,
      why: 'toJSON(secrets) hands every secret to one step. Name the secrets it needs one by one.',
    };
  }
  return undefined;
};

const injection: Rule = ({ text }) => {
  const found = taintedExpression(text);
  return found === undefined
    ? undefined
    : {
        start: found.start,
        end: found.end,
        why: `${found.source} is text that a stranger chooses, and it becomes part of the script before it runs. Map it to a variable under env: and use "$NAME" in the script.`,
      };
};

const PIPED_TO_SHELL = /\|\s*(?:sudo\s+(?:-\S+\s+)*)?(?:ba|z|da|k)?sh\b/;
const UNSAFE_DOWNLOAD = /\bhttp:\/\/|\s--insecure\b|\s--no-check-certificate\b|\s-k\b/;

// Over https it is a common way to install a tool, and whether to trust that host is not ours to say.
const unsafeDownload: Rule = ({ text }) => {
  if (!text.includes('curl ') && !text.includes('wget ')) return undefined;
  return UNSAFE_DOWNLOAD.test(text) && PIPED_TO_SHELL.test(text)
    ? whole(
        text,
        'Whoever sits on the line decides what this shell runs. Fetch it over https, check its digest, then run it.',
      )
    : undefined;
};

const YAML_RULES: readonly Rule[] = [
  pullRequestTarget,
  checkoutOfHead,
  writeAll,
  unsafeSwitch,
  selfHosted,
  allSecrets,
];
const SCRIPT_RULES: readonly Rule[] = [injection, allSecrets, unsafeDownload];

const whole = (text: string, why: string): Danger => ({
  start: text.length - text.trimStart().length,
  end: text.trimEnd().length,
  why,
});

export interface TaintedExpression {
  /** The context's path, e.g. `github.event.issue.title`. */
  readonly source: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The first `${{ … }}` on a line that puts text of a stranger's choosing there. Numbers, ids and
 * conditions are no such text: a comparison gives only true or false.
 */
export function taintedExpression(text: string): TaintedExpression | undefined {
  for (const { start, end, inner } of expressions(text)) {
    const source = taintOf(inner);
    if (source !== undefined) return { source, start, end };
  }
  return undefined;
}

interface Expression {
  readonly start: number;
  readonly end: number;
  readonly inner: string;
}

/** Each `${{ … }}` of a line; the last one may go on behind the line's end. */
export function* expressions(text: string): Generator<Expression> {
  let start = text.indexOf('${{');
  while (start !== -1) {
    const close = text.indexOf('}}', start);
    const end = close === -1 ? text.length : close + 2;
    yield { start, end, inner: text.slice(start + 3, close === -1 ? end : close) };
    start = text.indexOf('${{', end);
  }
}

function taintOf(expression: string): string | undefined {
  if (!expression.includes('github')) return undefined;
  const plain = expression
    .replace(/\[\s*'([\w-]+)'\s*\]/g, '.$1')
    .replace(/\[\s*(?:\d+|\*)\s*\]/g, '.*')
    .toLowerCase();
  for (const operand of plain.split(/&&|\|\|/)) {
    if (YIELDS_BOOLEAN.test(operand)) continue;
    const source = TAINTED.exec(operand)?.[0];
    if (source !== undefined) return source;
  }
  return undefined;
}

const YIELDS_BOOLEAN = /[=!]=|[<>]|^[\s(]*(?:!|contains\s*\(|startswith\s*\(|endswith\s*\()/;

// Fields that GitHub lists as untrusted input: people without any right to the repository fill them.
const AUTHOR = '(?:author|committer)\\.(?:name|email)';
const EVENT_FIELDS = [
  '(?:issue|discussion)\\.(?:title|body)',
  'pull_request\\.(?:title|body)',
  'pull_request\\.head\\.(?:ref|label)',
  'pull_request\\.head\\.repo\\.(?:default_branch|description|homepage)',
  '(?:comment|review|review_comment)\\.body',
  'pages\\.(?:\\*|\\w+)\\.page_name',
  `(?:head_commit|commits\\.(?:\\*|\\w+))\\.(?:message|${AUTHOR})`,
  'workflow_run\\.(?:head_branch|display_title)',
  `workflow_run\\.head_commit\\.(?:message|${AUTHOR})`,
  'workflow_run\\.pull_requests\\.(?:\\*|\\w+)\\.head\\.ref',
].join('|');

const TAINTED = new RegExp(
  `\\bgithub\\.head_ref\\b|\\bgithub\\.event\\.(?:${EVENT_FIELDS})\\b|\\btojson\\(\\s*github(?:\\.event(?:\\.\\w+)?)?\\s*\\)`,
);

export interface WorkflowLine {
  readonly text: string;
  /** The line without its YAML comment; empty inside a script or another block of text. */
  readonly yaml: string;
  /** `script` is what a shell or JavaScript will run. */
  readonly part: 'yaml' | 'script' | 'text';
}

/** Follows a workflow file line by line: which lines are YAML, and which are somebody's script. */
export function workflowLines(): (line: NewSideLine) => WorkflowLine {
  let block: Block | undefined;
  let isKnown = false;
  return ({ text: line, number, startsHunk }) => {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (startsHunk) {
      block = undefined;
      isKnown = number === 1;
    }
    if (block !== undefined && isInside(text, block)) {
      return { text, yaml: '', part: block.isScript ? 'script' : 'text' };
    }
    block = undefined;
    const key = KEY.exec(text);
    if (key === null) return looseLine(text, isKnown);
    isKnown = true;
    const [, lead = '', name = '', value = ''] = key;
    const isScript = SCRIPT_KEYS.has(name);
    if (isScript || BLOCK_VALUE.test(value)) block = { indent: lead.length, isScript };
    return { text, yaml: withoutComment(text), part: isScript ? 'script' : 'yaml' };
  };
}

interface Block {
  /** The column of the key; what belongs to it stands further right. */
  readonly indent: number;
  readonly isScript: boolean;
}

const KEY = /^(\s*(?:-\s+)*)["']?([\w.-]+)["']?\s*:(?:\s+(.*))?$/;
const BLOCK_VALUE = /^[|>][-+\d]*\s*(?:#.*)?$/;
const SCRIPT_KEYS: ReadonlySet<string> = new Set(['run', 'script']);

function isInside(text: string, block: Block): boolean {
  const indent = text.search(/\S/);
  return indent === -1 || indent > block.indent;
}

/**
 * A line with no key. When the hunk began in the middle of the file it may belong to a script whose
 * `run:` is not shown; then it counts as one if it reads like a shell's line.
 */
function looseLine(text: string, isKnown: boolean): WorkflowLine {
  if (isKnown || !SHELL_LINE.test(text)) {
    return { text, yaml: withoutComment(text), part: 'yaml' };
  }
  return { text, yaml: '', part: 'script' };
}

const SHELL_LINE =
  /^\s*(?:(?:echo|printf|export|git|gh|curl|wget|if|elif|then|for|while|case|test|npm|npx|yarn|pnpm|node|python3?|bash|sh|docker|make|cd|cat|jq|sed|grep|set)\s|\[\[?\s|[A-Za-z_]\w*=|\$\()/;

/** YAML ends a line's content at a hash after white space, outside quotes. */
function withoutComment(text: string): string {
  if (!text.includes('#')) return text;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '#' && (at === 0 || /\s/.test(text.charAt(at - 1)))) return text.slice(0, at);
  }
  return text;
}
