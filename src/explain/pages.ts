import { severityOf } from '../checks/rules.js';
import { RULES } from '../generated/rule-pages.js';
import { ignoreLine } from '../report/ignore-comment.js';

/** The sections of docs/rules.md by rule; families end in `/*`. */
export const rulePages = (): ReadonlyMap<string, string> =>
  new Map(
    RULES.split(/^## /m)
      .slice(1)
      .map(section => {
        const end = section.indexOf('\n');
        return [section.slice(0, end), section.slice(end).trim()] as const;
      }),
  );

/** The page's own name for a rule, which may be a family or one of its members. */
export function pageName(rule: string, pages: ReadonlyMap<string, string>): string | undefined {
  const family = `${rule.split('/', 1)[0]}/*`;
  return [rule, family].find(name => pages.has(name));
}

/** How to silence a rule, on one line and everywhere. */
export function silencing(rule: string): string {
  const comment = ignoreLine(rule, 'a.ts');
  const everywhere = `"checks": {${JSON.stringify(rule)}: "off"}`;
  const both = [
    ...(comment === everywhere ? [] : [`on its line or the one above: ${comment}`]),
    rule.startsWith('rule/')
      ? 'everywhere: remove its file'
      : `everywhere, in .apfel-bot.json: ${everywhere}`,
  ];
  return `To silence it\n${both.map(way => `  ${way}\n`).join('')}`;
}

/** One line for each rule. */
export const ruleList = (pages: ReadonlyMap<string, string>): string =>
  [...pages.keys()]
    .map(
      rule =>
        `${rule.padEnd(28)} ${rule === 'model/*' ? 'graded by the model' : severityOf(rule)}\n`,
    )
    .join('');
