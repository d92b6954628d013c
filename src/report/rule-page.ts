import { isCheckRule } from '../checks/rules.js';
import { homepage } from '../platform/terminal.js';

/** Linters and the rules of users have pages of their own, elsewhere or nowhere. */
export const hasPage = (rule: string): boolean => isCheckRule(rule) || rule.startsWith('model/');

/** The address of a rule's section, as GitHub anchors its title. */
export function rulePage(rule: string): string {
  const family = rule.split('/', 1)[0] ?? '';
  const title = FAMILIES.has(family) ? `${family}/*` : rule;
  return `${homepage()}/blob/main/docs/rules.md#${title.replace(/[^a-z0-9-]/g, '')}`;
}

/** Families with one section for all of their rules. */
const FAMILIES: ReadonlySet<string> = new Set(['secret', 'model']);
