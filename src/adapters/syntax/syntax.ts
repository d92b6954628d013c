import type { SyntaxKind, SyntaxProblem } from '../../core/syntax.js';
import type { Syntax } from '../../world.js';
import { syntaxJson } from './syntax-json.js';
import { syntaxToml } from './syntax-toml.js';
import { syntaxYaml } from './syntax-yaml.js';

export const syntaxParsers: Syntax = { problem: syntaxError };

/**
 * Why a text does not parse, or undefined when it does. Each parser is loaded when it is first
 * needed. Messages are our own: those of the parsers can quote the text, and with it a secret.
 * An empty file and a template that is no document yet are not judged.
 */
export async function syntaxError(
  kind: SyntaxKind,
  text: string,
): Promise<SyntaxProblem | undefined> {
  // A byte order mark is tolerated: what reads these files tolerates it too.
  const content = text.startsWith('\ufeff') ? text.slice(1) : text;
  if (content.trim() === '') return undefined;
  const problem = await find(kind, content);
  return problem === undefined || isTemplate(kind, content, problem) ? undefined : problem;
}

function find(kind: SyntaxKind, text: string): Promise<SyntaxProblem | undefined> {
  switch (kind) {
    case 'json':
      return syntaxJson(text, false);
    case 'jsonc':
      return syntaxJson(text, true);
    case 'yaml':
      return syntaxYaml(text);
    case 'toml':
      return syntaxToml(text);
    default: {
      const never: never = kind;
      return never;
    }
  }
}

// A dollar in front makes it an expression of GitHub Actions, which is ordinary YAML.
const YAML_TEMPLATE = /(?<!\$)\{\{|\{%|<%/;
const TEMPLATE_LINE = /^\s*(?:\{\{|\{%|<%)/m;
const TEMPLATE_MARK = /\{\{|\{%|<%/;

/** Longer lines are data, not templates. */
const TEMPLATE_WIDTH = 2000;

/** Helm, Jinja, ERB and the like are filled in before anybody parses them. */
function isTemplate(kind: SyntaxKind, text: string, problem: SyntaxProblem): boolean {
  if (kind === 'yaml') return YAML_TEMPLATE.test(text);
  if (TEMPLATE_LINE.test(text)) return true;
  const line = text.split('\n', problem.line).at(-1) ?? '';
  // In a string `{{name}}` is ordinary text, as translations have it.
  const outside = line.slice(0, TEMPLATE_WIDTH).replace(/"(?:[^"\\]|\\.)*"/g, '""');
  return TEMPLATE_MARK.test(outside);
}
