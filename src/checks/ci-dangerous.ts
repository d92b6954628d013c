import type { Hit, LineCheck, LineJudge } from './check.js';
import { NO_HITS } from './check.js';
import { expressions, taintedExpression } from './tainted-expression.js';
import type { WorkflowLine } from './workflow-lines.js';
import { workflowLines } from './workflow-lines.js';

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
