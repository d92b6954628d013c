import type { CheckSetting } from '../config.js';
import type { Claim } from '../core/finding.js';
import type { Globs } from '../world.js';

/** Applies the user's `checks`: switched off, off for some paths, or of another severity. */
export async function gradeClaims(
  claims: readonly Claim[],
  settings: ReadonlyMap<string, CheckSetting>,
  globs: Globs,
): Promise<Claim[]> {
  if (settings.size === 0) return [...claims];
  const isOff = new Map<CheckSetting, (path: string) => boolean>();
  for (const setting of settings.values()) {
    isOff.set(setting, await globs.matcher(setting.ignore));
  }
  return claims.flatMap(claim => {
    const applying = settingsFor(claim.rule, settings);
    if (applying.some(setting => isOff.get(setting)?.(claim.path))) return [];
    const grade = applying.find(setting => setting.grade !== undefined)?.grade;
    if (grade === 'off') return [];
    return [grade === undefined ? claim : { ...claim, severity: grade }];
  });
}

/** The rule's own setting first, then its family's. */
const settingsFor = (rule: string, settings: ReadonlyMap<string, CheckSetting>): CheckSetting[] =>
  [rule, rule.split('/', 1)[0] ?? ''].flatMap(name => settings.get(name) ?? []);
