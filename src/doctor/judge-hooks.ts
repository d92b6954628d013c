import type { HooksFact, ManagerFact } from './doctor-facts.js';
import { type Check, checksOf } from './doctor-report.js';

/** What git would run on a commit, and whether we are part of it. */
export function judgeHooks(hooks: HooksFact): Check {
  const { ok, attention } = checksOf('machine');
  if (hooks.areSkipped) {
    return attention('hooks', 'APFEL_BOT=0 is set: the hooks skip apfel-bot', 'unset APFEL_BOT');
  }
  const own = hooks.hooks.find(hook => hook.namesUs);
  if (own !== undefined) {
    return own.isExecutable
      ? ok('hooks', `${own.name} runs apfel-bot (${placeOf(hooks)})`)
      : attention(
          'hooks',
          `${own.name} names apfel-bot, but git passes it over: it is not executable`,
          `chmod +x ${hooks.folder}/${own.name}`,
        );
  }
  const manager = hooks.managers.find(each => each.namesUs) ?? hooks.managers[0];
  if (manager?.namesUs) {
    return manager.isInstalled
      ? ok('hooks', `${manager.name} runs apfel-bot (${manager.file})`)
      : attention(
          'hooks',
          `${manager.file} names apfel-bot, but ${manager.name} is not installed in this clone`,
          INSTALL[manager.name],
        );
  }
  return attention(
    'hooks',
    `no hook runs apfel-bot; ${whatRuns(hooks)}`,
    INSTALL_US[hooks.program],
  );
}

/** A hook that cannot find the program lets everything through, so it comes first. */
const INSTALL_US: Readonly<Record<HooksFact['program'], string>> = {
  project: 'npx apfel-bot install',
  path: 'apfel-bot install',
  nowhere: 'npm install --save-dev apfel-bot, then: npx apfel-bot install',
};

const INSTALL: Readonly<Record<ManagerFact['name'], string>> = {
  husky: 'npx husky',
  lefthook: 'npx lefthook install',
  'pre-commit': 'pre-commit install',
};

function whatRuns(hooks: HooksFact): string {
  const active = hooks.hooks.filter(hook => hook.isExecutable).map(hook => hook.name);
  const managers = hooks.managers.map(({ name }) => name).join(', ');
  const found = managers === '' ? '' : `, ${managers} found`;
  const runs = active.length === 0 ? 'git runs none' : `git runs ${active.join(', ')}`;
  return `${runs} (${placeOf(hooks)}${found})`;
}

const placeOf = ({ folder, scope }: HooksFact): string =>
  scope === undefined ? folder : `${folder}, by core.hooksPath in the ${scope} configuration`;
