import { gatherFacts } from '../adapters/doctor/doctor-facts.js';
import { knownRules } from '../checks/rules.js';
import { doctor as diagnose } from '../doctor/doctor.js';
import { doctorJson } from '../doctor/doctor-json.js';
import { doctorText } from '../doctor/doctor-text.js';
import type { Parsed } from '../trigger/parse-argv.js';
import { mustHaveNoWords, workOptions } from '../trigger/work-options.js';
import type { CommandEnd, Desk } from './desk.js';

/** Everything it looks at has a short limit of its own; together they stay far below this. */
const LONGEST_MS = 60_000;

export async function doctor(parsed: Parsed, desk: Desk): Promise<CommandEnd> {
  mustHaveNoWords(parsed);
  const options = workOptions(parsed);
  desk.endAfter(options.deadlineMs ?? LONGEST_MS);
  const facts = await gatherFacts({
    cwd: desk.cwd,
    environment: desk.env,
    signal: desk.signal,
    configFile: options.config,
    baseUrl: options.model.baseUrl,
    modelName: options.model.name,
    allowRemote: options.model.allowRemote,
    knownRules: knownRules(),
  });
  const report = diagnose(facts);
  const { color, columns } = desk;
  const text =
    options.format === 'json' ? doctorJson(report) : doctorText(report, { color, columns });
  return { text, ending: report.ending };
}
