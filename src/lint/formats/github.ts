import type { Severity } from '../../core/finding.js';
import { guessRule } from '../read-fix.js';
import { notThere, placeFromText, readLines } from '../read-json.js';
import { noReport, type RawDiagnostic, type RawReport, rawReport } from '../report.js';

const COMMAND = /^\s{0,8}::(error|warning|notice)(?= |::)/;

/** Workflow commands: `::error file=a.ts,line=1,col=2::message`. Other lines are ignored. */
export function parseGithub(text: string): RawReport {
  const rawDiagnostics = readLines(text, readLine);
  if (rawDiagnostics === undefined) return noReport('github', notThere(text, 'github'));
  return rawReport('github', 'utf16', { rawDiagnostics });
}

function readLine(line: string): RawDiagnostic | undefined {
  const command = COMMAND.exec(line);
  if (command === null) return undefined;
  const end = line.indexOf('::', command[0].length);
  if (end === -1) return undefined;
  const properties = readProperties(line.slice(command[0].length, end));
  const message = unescapeData(line.slice(end + 2));
  const title = properties.get('title') ?? '';
  return {
    file: properties.get('file'),
    rule: ruleIn(title) ?? guessRule(message),
    severity: SEVERITY[command[1] ?? ''] ?? 'info',
    message,
    line: placeFromText(properties.get('line')),
    column: placeFromText(properties.get('col')),
    endLine: placeFromText(properties.get('endLine')),
    endColumn: placeFromText(properties.get('endColumn')),
  };
}

const SEVERITY: Readonly<Record<string, Severity>> = { error: 'error', warning: 'warning' };

function readProperties(text: string): Map<string, string> {
  const properties = new Map<string, string>();
  for (const pair of text.split(',')) {
    const equals = pair.indexOf('=');
    if (equals === -1) continue;
    const value = pair
      .slice(equals + 1)
      .replaceAll('%3A', ':')
      .replaceAll('%2C', ',');
    properties.set(pair.slice(0, equals).trim(), unescapeData(value));
  }
  return properties;
}

const unescapeData = (text: string): string =>
  text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');

/** A title is a rule's name if it is one word, or has one in brackets: `Ruff (F401)`. */
const ruleIn = (title: string): string | undefined =>
  /^\S{2,120}$/.test(title) ? title : (guessRule(title) ?? undefined);
