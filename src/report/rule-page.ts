import { isCheckRule } from '../checks/rules.js';
import { homepage } from '../platform/terminal.js';

/**
 * The address of a rule's section, as GitHub anchors its title. Linters and the rules of users have
 * pages of their own, elsewhere or nowhere.
 */
export function rulePage(rule: string, home = homepage()): string | undefined {
  if (home === undefined || !(isCheckRule(rule) || rule.startsWith('model/'))) return undefined;
  const family = rule.split('/', 1)[0] ?? '';
  const title = FAMILIES.has(family) ? `${family}/*` : rule;
  return `${home}/blob/main/docs/rules.md#${title.replace(/[^a-z0-9-]/g, '')}`;
}

/** Families with one section for all of their rules. */
const FAMILIES: ReadonlySet<string> = new Set(['secret', 'model']);
