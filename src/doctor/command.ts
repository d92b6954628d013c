import { knownRules } from '../checks/rules.js';
import { rejectPositionals, workOptions } from '../config/options.js';
import { BotError } from '../core/bot-error.js';
import type { ParsedArguments } from '../core/task.js';
import { asRun } from '../platform/own-command.js';
import { forTerminal, forTerminalLines } from '../platform/safe-text.js';
import type { CommandEnd, Session } from '../session.js';
import type { DoctorFacts } from './facts.js';
import { gatherFacts } from './gather.js';
import { judgeEgress, judgeMachine, judgeModel, judgeRepository, judgeServer } from './judge.js';
import { gatherMachine, inOwnWords, machinePage } from './machine.js';
import { type Check, type DoctorReport, doctorJson, doctorText, endingOf } from './report.js';

/** Every check has its own short limit; together they stay far below this. */
const MAX_MS = 60_000;

export async function doctor(parsed: ParsedArguments, session: Session): Promise<CommandEnd> {
  rejectPositionals(parsed);
  const options = workOptions(parsed);
  const isReport = parsed.switches.has('report');
  if (isReport && options.format === 'json') {
    throw new BotError('usage', 'doctor --report is Markdown, so --format json has no effect', {
      hint: 'Leave out one of the two.',
    });
  }
  session.endAfter(options.deadlineMs ?? MAX_MS);
  const facts = await gatherFacts({
    cwd: session.cwd,
    environment: session.env,
    signal: session.signal,
    configFile: options.config,
    baseUrl: options.model.baseUrl,
    modelName: options.model.name,
    allowRemote: options.model.allowRemote,
    knownRules: knownRules(),
  });
  if (isReport) {
    const machine = await gatherMachine(session);
    const { checks, ending } = diagnose(inOwnWords(facts));
    return { text: machinePage(machine, checks, session.version), ending };
  }
  const report = diagnose(facts);
  const { color, columns } = session;
  const text =
    options.format === 'json' ? doctorJson(report) : doctorText(report, { color, columns });
  return { text, ending: report.ending };
}

/** Turns facts into checks: one line for each, and how to fix it. */
export function diagnose(facts: DoctorFacts): DoctorReport {
  const servers = judgeServer(facts);
  const hasServer = servers.some(({ id, status }) => id === 'server' && status === 'ok');
  const checks = [
    ...judgeMachine(facts),
    ...judgeRepository(facts),
    ...servers,
    ...judgeModel(facts, hasServer),
    ...judgeEgress(facts),
  ].map(harmless);
  return { checks, ending: endingOf(checks) };
}

/** Messages quote configuration, servers and the environment; none may control the terminal. */
const harmless = (check: Check): Check => ({
  ...check,
  // The problems of a configuration are a line each.
  message: asRun((check.id === 'config' ? forTerminalLines : forTerminal)(check.message)),
  fix: check.fix === undefined ? undefined : asRun(forTerminal(check.fix)),
});
