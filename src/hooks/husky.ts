import { HOOK_NAMES, type HookName, type HuskyFacts, shownPath } from './facts.js';
import { addBlock, insertAtEnd, removeBlock } from './marked-block.js';
import {
  changedByHand,
  type InstallPlan,
  joinPlans,
  messageOnly,
  NOTHING,
  notAFile,
  removeLines,
  write,
} from './plan.js';
import { callInstruction, callLine, callsUs, shim, shimKind } from './shim.js';

/** husky runs `.husky/NAME` as a script: a new one is our shim, an existing one gets our line at its end. */
export const planHusky = (
  husky: HuskyFacts,
  hooks: readonly HookName[],
  top: string | undefined,
): InstallPlan => joinPlans(hooks.map(hook => planHook(husky, hook, top)));

const huskyLine = (hook: HookName): string => callLine(hook, '"$@"');

function planHook(husky: HuskyFacts, hook: HookName, top: string | undefined): InstallPlan {
  const file = husky.files[hook];
  const path = `${husky.path}/${hook}`;
  const shown = shownPath(path, top);
  if (file.kind === 'odd') throw notAFile(path);
  if (file.kind === 'absent') {
    return write({ path, text: shim(hook), replaces: undefined }, `wrote ${shown}`);
  }
  const kind = shimKind(file.text, hook);
  if (kind === 'changed') return messageOnly(`${shown} was changed by hand, so it was left alone`);
  if (kind !== 'other') return messageOnly(`${shown} is already in place`);
  if (file.text !== undefined && callsUs(file.text, hook)) {
    return messageOnly(`${shown} already calls apfel-bot`);
  }
  if (file.text !== undefined && !isShellScript(file.text)) {
    return messageOnly(`${shown} isn't a shell script: ${callInstruction(hook)}`);
  }
  const obstacle = obstacleIn(file.text, file.target);
  if (file.text === undefined || obstacle !== undefined) {
    return {
      ...messageOnly(`${shown} ${obstacle}`),
      printed: [`# ${shown}`, huskyLine(hook)],
    };
  }
  const block = { hook, lines: [huskyLine(hook)] };
  const text = addBlock(file.text, insertAtEnd(file.text), block);
  return {
    ...messageOnly(`added lines to the end of ${shown}`),
    steps: [{ kind: 'write', path, text, replaces: file.text, isExecutable: false }],
  };
}

function obstacleIn(text: string | undefined, target: string | undefined): string | undefined {
  if (text === undefined) return `isn't a text file: ${BY_HAND}`;
  if (target !== undefined) return `is a symbolic link: ${BY_HAND}`;
  if (text.includes('\r\n'))
    return `has Windows line endings, which a shell can't read: ${BY_HAND}`;
  return exitsEarly(text) ? `exits before its end: ${BY_HAND}, above the exit` : undefined;
}

const BY_HAND = 'add the printed line to it by hand';

export const removeFromHusky = (husky: HuskyFacts, top: string | undefined): InstallPlan =>
  joinPlans(
    HOOK_NAMES.map(hook => {
      const file = husky.files[hook];
      if (file.kind !== 'file' || file.text === undefined || !husky.isInside) return NOTHING;
      const path = `${husky.path}/${hook}`;
      const shown = shownPath(path, top);
      const kind = shimKind(file.text, hook);
      if (kind === 'changed') return messageOnly(changedByHand(shown));
      if (kind !== 'other') {
        const remove = { kind: 'remove', path, replaces: file.text } as const;
        return { ...messageOnly(`removed ${shown}`), steps: [remove] };
      }
      const left = removeBlock(file.text, hook);
      return removeLines({ path, shown, text: file.text }, left, callsUs(left, hook));
    }),
  );

/** What a user would add to husky's hooks. */
export const huskyLines = (
  { path }: HuskyFacts,
  hooks: readonly HookName[],
  top: string | undefined,
): string[] => hooks.flatMap(hook => [`# ${shownPath(path, top)}/${hook}`, huskyLine(hook)]);

/**
 * Whether lines at the end of a shell script might never be reached. A guard such as `[ -n "$CI" ]
 * && exit 0` or `make || exit 1` exits only sometimes, which is fine. A line that isn't indented
 * counts as a separate command; if it is part of a text, the user is asked to add the lines by
 * hand.
 */
export function exitsEarly(script: string): boolean {
  const lines = script
    .replace(/\\\n|(?<=&&)\n/g, ' ')
    .split('\n')
    .map(line => line.replace(/(?:^|\s)#.*/, '').trimEnd())
    .filter(line => line !== '');
  return lines.some((line, at) => {
    const isLast = at === lines.length - 1;
    if (/^\s/.test(line) && !isLast) return false;
    const joint = EXITS.exec(line)?.[1];
    // After `&&` it always exits only if nothing follows and no test precedes it.
    return joint === '&&' ? isLast && !TESTS.test(line) : joint !== undefined;
  });
}

/** `exec < /dev/tty` only changes where the script reads from. */
const EXITS =
  /(^|;|&&)\s*(?:\w{1,40}=\S{0,200}\s)?(?:(?:exit|return)(?: \S{1,40})?|exec (?!\d*[<>&]).+)$/;

const TESTS = /^\s*(?:\[|test |command |grep |!)/;

/** Whether lines of shell can be added to a hook. Git runs one without a `#!` line in a shell. */
export function isShellScript(text: string): boolean {
  const [first = ''] = text.slice(0, MAX_LINE).split('\n', 1);
  if (!first.startsWith('#!')) return true;
  const words = first.slice(2).trim().split(/\s+/);
  const names = words.map(word => word.slice(word.lastIndexOf('/') + 1));
  // `env -S A=1 bash -e` is bash.
  const isEnv = names[0] === 'env';
  const program = isEnv ? names.slice(1).find(name => !/^-|=/.test(name)) : names[0];
  return /^(?:ba|da|a|z|k|mk|pdk|ya)?sh(?:\.exe)?$/.test(program ?? 'sh');
}

/** More than any kernel reads. */
const MAX_LINE = 4096;
