import { suggestion } from '../core/schema-problem.js';
import { type ParsedArguments, usage } from '../core/task.js';
import { forTerminal } from '../platform/safe-text.js';
import type { CommandEnd } from '../session.js';
import { pageName, ruleList, rulePages, silencing } from './pages.js';

/** Prints what a rule means; without a rule, all of them. */
export async function explain({ positionals: words }: ParsedArguments): Promise<CommandEnd> {
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
  const text = `${forTerminal(rule)}\n\n${pages.get(name)}\n\n${silencing(rule)}`;
  return { text, ending: 'done' };
}
