import { forTerminal } from '../core/neutralise.js';
import type { DoctorFacts } from './doctor-facts.js';
import { type Check, type DoctorReport, endingOf } from './doctor-report.js';
import { judgeEgress } from './judge-egress.js';
import { judgeMachine } from './judge-machine.js';
import { judgeModel } from './judge-model.js';
import { judgeRepository } from './judge-repository.js';
import { judgeServer } from './judge-server.js';

/** From what was found out to what it means: one line for each thing, and what mends it. */
export function doctor(facts: DoctorFacts): DoctorReport {
  const servers = judgeServer(facts);
  const hasServer = servers.every(({ status }) => status !== 'problem');
  const checks = [
    ...judgeMachine(facts),
    ...judgeRepository(facts),
    ...servers,
    ...judgeModel(facts, hasServer),
    ...judgeEgress(facts),
  ].map(harmless);
  return { checks, ending: endingOf(checks) };
}

/** Configuration, servers and the environment have their say in messages; none may steer a terminal. */
const harmless = (check: Check): Check => ({
  ...check,
  message: forTerminal(check.message),
  fix: check.fix === undefined ? undefined : forTerminal(check.fix),
});
