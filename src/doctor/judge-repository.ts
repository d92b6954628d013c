import type { ConfigFact, DoctorFacts, HooksFact, RepositoryFact } from './doctor-facts.js';
import { type Check, checksOf } from './doctor-report.js';
import { judgeHooks } from './judge-hooks.js';

/** The repository, its configuration and its hooks. */
export function judgeRepository({ repository, config, hooks }: DoctorFacts): Check[] {
  return [...judgePlace(repository), judgeConfig(config), ...hookChecks(hooks)];
}

function judgePlace(repository: RepositoryFact): Check[] {
  const { ok, attention, problem } = checksOf('git');
  const { kind } = repository;
  switch (kind) {
    case 'found':
      return [
        repository.isShallow
          ? attention(
              'repository',
              `${repository.place} is a shallow clone: older commits are missing`,
              'git fetch --unshallow, or fetch-depth: 0 in the workflow',
            )
          : ok('repository', repository.place),
      ];
    case 'none':
      return [
        attention(
          'repository',
          'not inside a git repository: only review --stdin would work here',
          'run it inside a repository',
        ),
      ];
    case 'unasked':
      return [];
    case 'unusable':
      return [problem('repository', repository.message, repository.hint)];
    default: {
      const never: never = kind;
      return never;
    }
  }
}

function judgeConfig(config: ConfigFact): Check {
  const { ok, problem } = checksOf('config');
  if (config.kind === 'broken') return problem('config', config.message, config.hint);
  return ok(
    'config',
    config.origin === undefined ? 'none, so the defaults hold' : `${config.origin} is valid`,
  );
}

const hookChecks = (hooks: HooksFact | undefined): Check[] =>
  hooks === undefined ? [] : [judgeHooks(hooks)];
