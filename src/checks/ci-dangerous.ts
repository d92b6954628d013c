import type { Severity } from '../core/finding.js';
import { type Hit, type LineCheck, type LineJudge, type NewSideLine, NO_HITS } from './check.js';

/**
 * Changes to GitHub workflows and actions that give outsiders the token or a shell. It is an error
 * only where foreign code or text gets there; the rest are warnings.
 */
export const ciDangerous: LineCheck = {
  rules: { 'ci/dangerous': 'error', 'ci/pipe-to-shell': 'warning', 'ci/unpinned': 'info' },
  guards: false,
  open: file => (WORKFLOW.test(file.path) ? openJudge() : undefined),
};

const WORKFLOW = /(?:^|\/)\.github\/workflows\/[^/]+\.ya?ml$|(?:^|\/)action\.ya?ml$/i;

function openJudge(): LineJudge {
  const read = workflowLines();
  let hasPrivilegedTrigger = false;
  const downloads = new Set<string>();
  return line => {
    if (line.startsHunk) downloads.clear();
    const seen = read(line);
    if (seen.part === 'script') noteDownload(seen.text, downloads);
    if (seen.part !== 'script' && PRIVILEGED_TRIGGER.test(seen.yaml)) hasPrivilegedTrigger = true;
    if (!line.isAdded) return NO_HITS;
    const rules = seen.part === 'script' ? SCRIPT_RULES : YAML_RULES;
    for (const rule of rules) {
      const found = rule({ ...seen, hasPrivilegedTrigger, downloads });
      if (found !== undefined) return [toHit(found)];
    }
    return NO_HITS;
  };
}

interface Situation extends WorkflowLine {
  /** The file has a trigger that outsiders can fire and that runs with secrets and a write token. */
  readonly hasPrivilegedTrigger: boolean;
  /** Variables of the script that hold what it downloaded. */
  readonly downloads: ReadonlySet<string>;
}

interface Danger {
  readonly start: number;
  readonly end: number;
  readonly why: string;
  /** `ci/dangerous` if absent. */
  readonly rule?: string;
  readonly severity?: Severity;
}

type Rule = (situation: Situation) => Danger | undefined;

const toHit = ({ start, end, why, rule = 'ci/dangerous', severity }: Danger): Hit => ({
  rule,
  message: why,
  column: start + 1,
  endColumn: end + 1,
  ...(severity !== undefined && { severity }),
});

// A trigger is a key, a list item, or follows `on:`; elsewhere it's only mentioned.
const PRIVILEGED_TRIGGER =
  /^\s*(?:-\s+)?["']?(?:pull_request_target|issue_comment|workflow_run)["']?\s*(?::.*)?$|^\s*["']?on["']?\s*:.*\b(?:pull_request_target|issue_comment|workflow_run)\b/;
const TARGET_TRIGGER =
  /^\s*(?:-\s+)?["']?(pull_request_target)["']?\s*(?::.*)?$|^\s*["']?on["']?\s*:.*\b(pull_request_target)\b/;

const pullRequestTarget: Rule = ({ yaml }) => {
  if (!yaml.includes('pull_request_target') || !TARGET_TRIGGER.test(yaml)) return undefined;
  const start = yaml.indexOf('pull_request_target');
  return {
    start,
    end: start + 'pull_request_target'.length,
    severity: 'warning',
    why: 'pull_request_target runs with secrets and a write token on pull requests from anyone. Use pull_request. If it has to stay, never check out or run code from the pull request in it.',
  };
};

const HEAD_OF_PULL =
  /^\s*(?:-\s+)?(?:ref|repository)\s*:.*(?:github\.event\.pull_request\.head\b|github\.head_ref\b|refs\/pull\/)/;

// The expression itself says that the trigger is workflow_run.
const HEAD_OF_RUN =
  /^\s*(?:-\s+)?(?:ref|repository)\s*:.*github\.event\.workflow_run\.(?:head_sha|head_branch|head_commit\b|head_repository\b|pull_requests\b)/;

const UNTRUSTED_CODE =
  'This checks out untrusted code in a run that has secrets and a write token. Do it in a pull_request workflow and pass the result on as an artifact.';

const checkoutOfHead: Rule = ({ yaml, hasPrivilegedTrigger }) =>
  (hasPrivilegedTrigger && HEAD_OF_PULL.test(yaml)) || HEAD_OF_RUN.test(yaml)
    ? whole(yaml, UNTRUSTED_CODE)
    : undefined;

const CHECKOUT_IN_SCRIPT =
  /\bgh\s+pr\s+checkout\b|\bgit\s+(?:checkout|switch|reset|merge)\b.*\bFETCH_HEAD\b|\bgit\s+(?:checkout|switch|pull|merge)\b.*(?:pull_request\.head\.|workflow_run\.head_|refs\/pull\/|\bpull\/)/;

const scriptedCheckout: Rule = ({ text, hasPrivilegedTrigger }) =>
  hasPrivilegedTrigger && CHECKOUT_IN_SCRIPT.test(text) ? whole(text, UNTRUSTED_CODE) : undefined;

const writeAll: Rule = ({ yaml }) =>
  /^\s*permissions\s*:\s*["']?write-all\b/.test(yaml)
    ? whole(
        yaml,
        'write-all lets every step of every action change everything. List the permissions that are needed, such as contents: read.',
        'warning',
      )
    : undefined;

const unsafeSwitch: Rule = ({ yaml }) =>
  /^\s*(?:-\s+)?(?:allow-unsafe-pr-checkout|ACTIONS_ALLOW_UNSECURE_COMMANDS)\s*:\s*["']?true\b/i.test(
    yaml,
  )
    ? whole(
        yaml,
        'This turns off a protection of GitHub Actions. Remove it and use a pull_request workflow or the environment files instead.',
      )
    : undefined;

const selfHosted: Rule = ({ yaml, hasPrivilegedTrigger }) =>
  hasPrivilegedTrigger && /^\s*runs-on\s*:.*\bself-hosted\b/.test(yaml)
    ? whole(
        yaml,
        'Anyone can start a job on this self-hosted runner, and it keeps what they leave behind. Use a hosted runner for this trigger.',
        'warning',
      )
    : undefined;

const allSecrets: Rule = ({ text }) =>
  inExpression(text, inner =>
    /\btojson\(\s*secrets\s*\)/i.test(inner)
      ? {
          severity: 'warning',
          why: 'toJSON(secrets) gives every secret to one step. List the secrets it needs one by one.',
        }
      : undefined,
  );

const injection: Rule = ({ text }) =>
  inExpression(text, inner => {
    const source = taintOf(inner);
    const why = `${source} is untrusted text that becomes part of the script before it runs. Assign it to a variable under env: and use "$NAME" in the script.`;
    return source === undefined ? undefined : { why };
  });

/**
 * Only people with write access can fill these, so a mistake or a quote is likelier than an attack.
 */
const inputInScript: Rule = ({ text }) =>
  inExpression(text, inner => {
    // Before `&&` it is only a condition.
    const values = inner.split('||').map(part => part.slice(part.lastIndexOf('&&') + 1));
    const [found] = values.flatMap(value =>
      YIELDS_BOOLEAN.test(value) ? [] : (INPUT.exec(value) ?? []),
    );
    const why = `${found} becomes part of the script before it runs, so a quote or a semicolon in it changes the script. Assign it to a variable under env: and use "$NAME" in the script.`;
    return found === undefined ? undefined : { severity: 'info', why };
  });

const INPUT =
  /\bgithub\.(?:ref_name\b|event\.(?:inputs|client_payload)[.[][\w.-]+)|(?<![\w.])inputs[.[][\w.-]+/i;

const PIPED_TO_SHELL =
  /\|\s*(?:sudo\s+(?:-\S+\s+){0,5})?(?:[\w/]*\/)?(?:(?:ba|z|da|k)?sh|python3?|node|ruby|perl)\b(?!\s+-c)|\b(?:ba|z|da|k)?sh\s+(?:-c\s+)?["']?(?:<\(|\$\()\s*(?:curl|wget)\b|\beval\s+["']?(?:\$\(|\x60)\s*(?:curl|wget)\b|\b(?:source|\.)\s+<\(\s*(?:curl|wget)\b/;
const UNSAFE_DOWNLOAD = /\bhttp:\/\/|\s--insecure\b|\s--no-check-certificate\b|\s-k\b/;

const download: Rule = ({ text, downloads }) => {
  if (downloads.size > 0 && EVALUATED.test(text)) {
    const name = EVALUATED.exec(text)?.[1] ?? '';
    if (downloads.has(name)) return { ...whole(text, PIPED), rule: 'ci/pipe-to-shell' };
  }
  if (!text.includes('curl ') && !text.includes('wget ')) return undefined;
  if (!PIPED_TO_SHELL.test(text)) return undefined;
  return UNSAFE_DOWNLOAD.test(text)
    ? whole(
        text,
        'Anyone between here and the server can change what this shell runs. Download it over https, check its digest, then run it.',
      )
    : { ...whole(text, PIPED), rule: 'ci/pipe-to-shell' };
};

const PIPED =
  'The owner of that address runs code here with the tokens of this job. Download a fixed version, check its digest, then run it.';

const EVALUATED = /\b(?:eval|(?:ba|z|da|k)?sh\s+-c)\s+["']?\$\{?(\w+)/;
const DOWNLOADED = /\b(\w+)=["']?(?:\$\(|\x60)\s*(?:curl|wget)\b/;

function noteDownload(text: string, downloads: Set<string>): void {
  const name = text.includes('=') ? DOWNLOADED.exec(text)?.[1] : undefined;
  if (name !== undefined) downloads.add(name);
}

const USES = /^\s*(?:-\s+)?uses\s*:\s*["']?([^\s"'#]+)/;
/** GitHub's own actions, and those of this repository. */
const TRUSTED = /^(?:actions|github|\.{1,2})\//;

const unpinned: Rule = ({ yaml }) => {
  const action = USES.exec(yaml)?.[1];
  if (action === undefined || TRUSTED.test(action) || action.includes('${{')) return undefined;
  const reference = action.slice(action.lastIndexOf('@') + 1);
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64}|sha256:[0-9a-f]{64})$/.test(reference)) return undefined;
  const start = yaml.indexOf(action);
  return {
    start,
    end: start + action.length,
    rule: 'ci/unpinned',
    why: "Its owner can move this tag or branch to other code. Pin it to a commit's full sha, with the version in a comment.",
  };
};

const YAML_RULES: readonly Rule[] = [
  pullRequestTarget,
  checkoutOfHead,
  writeAll,
  unsafeSwitch,
  selfHosted,
  allSecrets,
  unpinned,
];
const SCRIPT_RULES: readonly Rule[] = [
  injection,
  scriptedCheckout,
  allSecrets,
  download,
  inputInScript,
];

const whole = (text: string, why: string, severity?: Severity): Danger => ({
  start: text.length - text.trimStart().length,
  end: text.trimEnd().length,
  why,
  ...(severity !== undefined && { severity }),
});

/** The first `${{ … }}` on a line with a problem; the last one may continue on the next line. */
function inExpression(
  text: string,
  judge: (inner: string) => Omit<Danger, 'start' | 'end'> | undefined,
): Danger | undefined {
  let start = text.indexOf('${{');
  while (start !== -1) {
    const close = text.indexOf('}}', start);
    const end = close === -1 ? text.length : close + 2;
    const found = judge(text.slice(start + 3, close === -1 ? end : close));
    if (found !== undefined) return { start, end, ...found };
    start = text.indexOf('${{', end);
  }
  return undefined;
}

/**
 * The untrusted text that an expression inserts. Numbers, ids and conditions don't count: a
 * comparison is only true or false.
 */
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

// Fields that GitHub lists as untrusted input: people without access to the repository fill them.
const AUTHOR = '(?:author|committer)\\.(?:name|email)';
const EVENT_FIELDS = [
  '(?:issue|discussion)\\.(?:title|body)',
  'pull_request\\.(?:title|body)',
  'pull_request\\.head\\.(?:ref|label)',
  'pull_request\\.head\\.repo\\.(?:default_branch|description|homepage)',
  '(?:comment|review|review_comment)\\.body',
  'pages\\.[\\w*-]+\\.page_name',
  `(?:head_commit|commits\\.[\\w*-]+)\\.(?:message|${AUTHOR})`,
  'workflow_run\\.(?:head_branch|display_title)',
  `workflow_run\\.head_commit\\.(?:message|${AUTHOR})`,
  'workflow_run\\.pull_requests\\.[\\w*-]+\\.head\\.ref',
].join('|');

const TAINTED = new RegExp(
  `\\bgithub\\.head_ref\\b|\\bgithub\\.event\\.(?:${EVENT_FIELDS})\\b|\\btojson\\(\\s*github(?:\\.event(?:\\.\\w+)?)?\\s*\\)`,
);

interface WorkflowLine {
  readonly text: string;
  /** The line without its YAML comment; empty inside a script or another block of text. */
  readonly yaml: string;
  /** `script` is what a shell or JavaScript will run. */
  readonly part: 'yaml' | 'script' | 'text';
}

/** Reads a workflow file line by line and separates YAML from scripts. */
function workflowLines(): (line: NewSideLine) => WorkflowLine {
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
  /** The column of the key; its block is indented further. */
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
 * A line without a key. If the hunk starts in the middle of the file, the line may belong to a script
 * whose `run:` isn't shown; it counts as one if it looks like shell.
 */
function looseLine(text: string, isKnown: boolean): WorkflowLine {
  if (isKnown || !SHELL_LINE.test(text)) {
    return { text, yaml: withoutComment(text), part: 'yaml' };
  }
  return { text, yaml: '', part: 'script' };
}

const SHELL_LINE =
  /^\s*(?:(?:echo|printf|export|git|gh|curl|wget|if|elif|then|for|while|case|test|npm|npx|yarn|pnpm|node|python3?|bash|sh|docker|make|cd|cat|jq|sed|grep|set)\s|\[\[?\s|[A-Za-z_]\w*=|\$\()/;

/** A comment in YAML starts at a hash after whitespace, outside quotes. */
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
