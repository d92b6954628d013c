import { isAtLeast } from '../platform/run-program.js';
import type { DoctorFacts, ProgramFact, ServerFact } from './facts.js';
import { type Check, checksOf } from './report.js';

/** Since then replies can be decoded under a schema, which is the dependable way to ask. */
const FIRST_WITH_SCHEMAS = '1.4.0';
const INSTALL = 'brew install apfel';
const { ok, attention, problem } = checksOf('model');

/** What answers where a review would ask, and the program that could. */
export function judgeServer({ server, program }: DoctorFacts): Check[] {
  return [judgeAnswer(server, program), judgeProgram(server, program)];
}

function judgeAnswer(server: ServerFact, program: ProgramFact | undefined): Check {
  switch (server.kind) {
    case 'refused':
      return checksOf('config').problem('server', server.message, server.hint);
    case 'apfel':
      return judgeApfel(server.baseUrl, server.version);
    case 'ollama':
    case 'other': {
      const who = server.kind === 'ollama' ? 'Ollama' : 'a server that is not apfel';
      const message = `${who} answers at ${server.baseUrl}`;
      if (server.isNamed) return ok('server', message);
      const fix = `--base-url ${server.baseUrl} to use it, or stop it and run apfel --serve`;
      return problem('server', `${message}, and it is not used unless named`, fix);
    }
    case 'nothing':
    case 'silent':
      return judgeSilence(server, program);
    default: {
      const never: never = server;
      return never;
    }
  }
}

function judgeApfel(baseUrl: string, version: string | undefined): Check {
  const message = `apfel ${version ?? 'of unknown version'} answers at ${baseUrl}`;
  return version === undefined || isAtLeast(version, FIRST_WITH_SCHEMAS)
    ? ok('server', message)
    : attention('server', `${message}; it cannot decode under a schema`, 'brew upgrade apfel');
}

function judgeSilence(
  server: Exclude<ServerFact, { kind: 'refused' }>,
  program: ProgramFact | undefined,
): Check {
  const { baseUrl, isNamed, mayStart } = server;
  const message =
    server.kind === 'nothing'
      ? `nothing answers at ${baseUrl}`
      : `what listens at ${baseUrl} does not answer`;
  if (isNamed) return problem('server', message, 'start that server, or leave out the base URL');
  if (program === undefined) {
    return problem('server', `${message}, and apfel is not installed`, INSTALL);
  }
  return mayStart
    ? ok('server', `${message}; apfel is started for each run and stopped after it`)
    : problem('server', `${message}, and model.start is off`, 'apfel --serve');
}

function judgeProgram(server: ServerFact, program: ProgramFact | undefined): Check {
  if (program !== undefined) {
    return ok('apfel', `apfel ${program.version ?? 'of unknown version'} (${program.path})`);
  }
  if (server.kind === 'refused') return ok('apfel', 'not on the PATH');
  const isSilent = server.kind === 'nothing' || server.kind === 'silent';
  if (isSilent && !server.isNamed) return attention('apfel', 'not on the PATH', INSTALL);
  return ok('apfel', `not on the PATH, and not needed for ${server.baseUrl}`);
}
