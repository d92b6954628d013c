import { isKnownRule, knownRules } from '../checks/rules.js';
import { suggestion } from '../core/nearest.js';
import { type ParsedArguments, usage } from '../core/task.js';
import { forTerminal } from '../platform/safe-text.js';
import { paint } from '../report/style.js';
import type { CommandEnd, Session } from '../session.js';
import { pageName, ruleList, rulePages, silencing } from './pages.js';

/** Prints what a rule means; without a rule, all of them. */
export async function explain(
  { positionals: words }: ParsedArguments,
  { color, columns }: Session,
): Promise<CommandEnd> {
  const [rule, stray] = words;
  if (stray !== undefined) throw usage(`unexpected argument ${JSON.stringify(stray)}`);
  const pages = rulePages();
  if (rule === undefined) return { text: ruleList(pages), ending: 'done' };
  const own = /^rule\/([\w.-]+)$/.exec(rule)?.[1];
  if (own !== undefined) {
    const text = `${paint(color).bold(rule)}\n\nA rule of this project: .apfel-bot/rules/${own}.md, or a file that review.rules names.\n\n${silencing(rule)}`;
    return { text, ending: 'done' };
  }
  const name = pageName(rule, pages);
  if (name === undefined || !isKnownRule(rule)) {
    const hint = suggestion(rule, [...pages.keys(), ...knownRules()]);
    throw usage(
      `there is no rule ${JSON.stringify(rule)}${hint || '; for a list: apfel-bot explain'}`,
    );
  }
  const page = plainText(pages.get(name) ?? '', { color, columns });
  const text = `${paint(color).bold(forTerminal(rule))}\n\n${page}\n\n${silencing(rule)}`;
  return { text, ending: 'done' };
}

/** Longer lines are hard to read. */
const MAX_COLUMNS = 100;

/** A section of our rules page for a terminal: paragraphs wrapped, code indented, no Markdown. */
function plainText(
  markdown: string,
  { color, columns }: { readonly color: boolean; readonly columns: number },
): string {
  const width = Math.min(columns, MAX_COLUMNS);
  const { bold } = paint(color);
  // The odd pieces are code.
  const pieces = markdown.split(/^```\w*\n([\s\S]*?)\n```$/m);
  return pieces
    .map((piece, at) => {
      if (at % 2 === 1) return piece.replace(/^(?=.)/gm, '    ');
      const paragraphs = piece.trim().split(/\n{2,}/);
      return paragraphs
        .map(paragraph => wrapped(paragraph, width))
        .join('\n\n')
        .replace(/\*\*([^*]+)\*\*/g, (_, words: string) => bold(words));
    })
    .join('\n\n')
    .trimEnd();
}

function wrapped(paragraph: string, width: number): string {
  const lines: string[] = [];
  for (const word of paragraph.split(/\s+/)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join('\n');
}
