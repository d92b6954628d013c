import type { DoctorFacts, GitFact, PowerFact } from './doctor-facts.js';
import { type Check, checksOf } from './doctor-report.js';
import { isAtLeast } from './is-at-least.js';

/** The package's `engines`. */
const OLDEST_NODE = '20.19';
/** What is older has not been tried, and lacks some of the switches that keep reading harmless. */
const OLDEST_GIT = '2.30';

/** Node, git and the power supply. */
export function judgeMachine({ nodeVersion, git, power }: DoctorFacts): Check[] {
  return [judgeNode(nodeVersion), judgeGit(git), judgePower(power)];
}

function judgeNode(version: string): Check {
  const { ok, problem } = checksOf('machine');
  return isAtLeast(version, OLDEST_NODE)
    ? ok('node', `Node ${version}`)
    : problem(
        'node',
        `Node ${version} is older than ${OLDEST_NODE}, which apfel-bot needs`,
        'brew install node, or nvm install 22',
      );
}

function judgeGit(git: GitFact): Check {
  const { ok, attention, problem } = checksOf('git');
  if (git.kind === 'missing') return problem('git', git.message, git.hint);
  return isAtLeast(git.version, OLDEST_GIT)
    ? ok('git', `git ${git.version}`)
    : attention('git', `git ${git.version} is older than ${OLDEST_GIT}`, 'brew install git');
}

function judgePower(power: PowerFact): Check {
  const { ok, attention } = checksOf('machine');
  switch (power) {
    case 'mains':
      return ok('power', 'on mains power, where macOS does not limit background requests');
    case 'battery':
      return attention(
        'power',
        'on battery, where macOS limits how often a program without a window may ask the model',
        'plug the Mac in for long runs',
      );
    case 'not-limited':
      return ok('power', 'no power-related limit on this system');
    case 'unknown':
      return ok('power', 'not known whether on battery; there macOS limits background requests');
    default: {
      const never: never = power;
      return never;
    }
  }
}
