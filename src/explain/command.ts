import { suggestion } from '../core/schema-problem.js';
import { type ParsedArguments, usage } from '../core/task.js';
import { forTerminal } from '../platform/safe-text.js';
import { paint } from '../report/style.js';
import type { CommandEnd, Session } from '../session.js';
import { pageName, ruleList, rulePages, silencing } from './pages.js';
import { plainText } from './plain-text.js';

/** Prints what a rule means; without a rule, all of them. */
export async function explain(
  { positionals: words }: ParsedArguments,
  { color, columns }: Session,
): Promise<CommandEnd> {
  const [rule, stray] = words;
  if (stray !== undefined) throw usage(`unexpected argument ${JSON.stringify(stray)}`);
  const pages = rulePages();
  if (rule === undefined) return { text: ruleList(pages), ending: 'done' };
  const name = pageName(rule, pages);
  if (name === undefined) {
    const hint = suggestion(rule, [...pages.keys()]);
    throw usage(
      `there is no rule ${JSON.stringify(rule)}${hint || '; apfel-bot explain lists them'}`,
    );
  }
  const page = plainText(pages.get(name) ?? '', { color, columns });
  const text = `${paint(color).bold(forTerminal(rule))}\n\n${page}\n\n${silencing(rule)}`;
  return { text, ending: 'done' };
}
