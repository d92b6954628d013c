import { cutLine } from '../agent/cut-text.js';
import {
  failed,
  parameters,
  stringOf,
  succeeded,
  type Tool,
  type ToolOutcome,
} from '../agent/tool.js';
import { SEVERITIES, type Severity } from '../core/finding.js';
import { fitsMark, type LineMark, lineMark, parseMark } from './chunk.js';

/** The changed lines that the model was shown: the only ones it may point at. */
interface ShownFile {
  readonly path: string;
  readonly lines: ReadonlyMap<number, string>;
}

export interface ReportedFinding {
  readonly path: string;
  readonly line: number;
  readonly quote: string;
  readonly severity: Severity;
  readonly message: string;
}

/** A report that doesn't match what was shown. The model gets an error; the audit shows it to people. */
export interface RefusedFinding extends ReportedFinding {
  readonly reason: 'not-on-changed-line' | 'quote-not-found';
}

interface ReportFindingOptions {
  readonly shown: readonly ShownFile[];
  /** Takes what was reported; whether it holds is for verification to say. */
  readonly found: (finding: ReportedFinding) => void;
  readonly refused?: (finding: RefusedFinding) => void;
}

export const reportFinding = (options: ReportFindingOptions): Tool => ({
  name: 'report_finding',
  description: 'Report one problem in a changed line. Only real bugs; one call for each.',
  parameters: parameters(
    {
      line: { type: 'string', description: 'the mark before the changed line, such as 12#k7' },
      quote: { type: 'string', description: 'the code in question, copied from that line' },
      severity: { type: 'string', enum: [...SEVERITIES].reverse(), description: 'how bad it is' },
      message: { type: 'string', description: 'what is wrong, in one sentence' },
      path: { type: 'string', description: 'the file, when several are shown' },
    },
    ['line', 'quote', 'severity', 'message'],
  ),
  example: {
    line: '12#k7',
    quote: 'i <= list.length',
    severity: 'error',
    message: 'reads past the end',
  },
  run: async input => {
    const severity = SEVERITIES.find(known => known === input['severity']);
    const mark = parseMark(stringOf(input, 'line'));
    if (severity === undefined) return failed(`severity must be one of ${SEVERITIES.join(', ')}`);
    if (mark === undefined) return failed('line must be the mark of a changed line, such as 12#k7');
    const said = { quote: stringOf(input, 'quote'), severity, message: stringOf(input, 'message') };
    return report(options, mark, { ...said, path: stringOf(input, 'path').replace(/^\.\//, '') });
  },
});

function report(
  { shown, found, refused }: ReportFindingOptions,
  mark: LineMark,
  said: Omit<ReportedFinding, 'line'>,
): ToolOutcome {
  const files = said.path === '' ? shown : shown.filter(file => file.path === said.path);
  if (files.length === 0) {
    refused?.({ ...said, line: mark.line, reason: 'not-on-changed-line' });
    const names = shown.map(file => file.path).join(', ');
    return failed(`${said.path} is not shown. Shown: ${names}`);
  }
  const place = placeOf(files, mark, said.quote);
  if ('problem' in place) {
    const path = place.path ?? files[0]?.path ?? said.path;
    refused?.({ ...said, path, line: mark.line, reason: place.reason });
    return failed(place.problem);
  }
  found({ ...said, ...place });
  return succeeded(`noted at ${place.path}:${place.line}`, { ...said, ...place });
}

interface Place {
  readonly path: string;
  readonly line: number;
}

interface Misplaced {
  readonly path: string | undefined;
  readonly reason: RefusedFinding['reason'];
  readonly problem: string;
}

/** Where the mark points, when number, mark and quote agree; else what is wrong with them. */
function placeOf(files: readonly ShownFile[], mark: LineMark, quote: string): Place | Misplaced {
  const at = (text: string): boolean => holdsQuote(text, quote);
  const pointed = files.flatMap(file => {
    const text = file.lines.get(mark.line);
    return text === undefined ? [] : [{ path: file.path, line: mark.line, text }];
  });
  const right = pointed.filter(({ text }) => fitsMark(mark, text) && at(text));
  const [only] = right;
  if (right.length === 1 && only !== undefined) return { path: only.path, line: only.line };
  if (right.length > 1) {
    const problem = 'several files have that line; give the path';
    return { path: undefined, reason: 'not-on-changed-line', problem };
  }
  return problemWith(pointed[0], mark);
}

function problemWith(pointed: (Place & { text: string }) | undefined, mark: LineMark): Misplaced {
  if (pointed === undefined) {
    const problem = `line ${mark.line} is not one of the changed lines shown`;
    return { path: undefined, reason: 'not-on-changed-line', problem };
  }
  const right = `marked ${lineMark(pointed.line, pointed.text)} and reads: ${cutLine(pointed.text.trim(), 40)}`;
  const problem = `line ${mark.line} is ${right}. Give the mark and quote of the line you mean`;
  return { path: pointed.path, reason: 'quote-not-found', problem };
}

const holdsQuote = (text: string, quote: string): boolean => {
  const wanted = squeeze(quote);
  return wanted !== '' && squeeze(text).includes(wanted);
};

const squeeze = (text: string): string => text.replace(/\s+/g, '');
