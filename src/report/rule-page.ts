import { isCheckRule } from '../checks/rules.js';
import { homepage } from '../platform/terminal.js';

/**
 * The URL of a rule's section, as GitHub builds anchors from titles. Linters and users' own rules
 * are documented elsewhere, if at all.
 */
export function rulePage(rule: string, home = homepage()): string | undefined {
  if (home === undefined || !(isCheckRule(rule) || rule.startsWith('model/'))) return undefined;
  const family = rule.split('/', 1)[0] ?? '';
  const title = FAMILIES.has(family) ? `${family}/*` : rule;
  return `${home}/blob/main/docs/rules.md#${title.replace(/[^a-z0-9-]/g, '')}`;
}

/** Families whose rules share one section. */
const FAMILIES: ReadonlySet<string> = new Set(['secret', 'model']);
