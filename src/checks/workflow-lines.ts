import type { NewSideLine } from './check.js';

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
