import { chance } from '../../../fixtures/apfel/chance.js';
import { type KnownBug, reviewDiff } from './known-bugs.js';
import { invents, type Report, type ShownLine } from './scripted-model.js';

interface Invented {
  readonly reports: number;
  /** Quoted code that is nowhere, or on several lines but not on the one named. */
  readonly wrong: number;
  /** Findings that no right report stands behind. */
  readonly accepted: number;
  readonly refuted: number;
  readonly kept: number;
}

/** How often a second look by a model that doubts everything says that a claim is wrong. */
const DOUBT = 0.8;

/** A model that invents findings, and one that doubts them, on each of these changes. */
export async function inventOn(bugs: readonly KnownBug[]): Promise<Invented> {
  const sum = { reports: 0, wrong: 0, accepted: 0, refuted: 0, kept: 0 };
  for (const [at, { diff }] of bugs.entries()) {
    const right = new Set<string>();
    const made = new Map<string, boolean>();
    const invent = invents(at);
    const { outcome } = await reviewDiff(diff, {
      reports: shown => {
        const reports = invent(shown);
        for (const report of reports) {
          const place = rightPlace(report, shown);
          made.set(JSON.stringify(report), place !== undefined);
          if (place !== undefined) right.add(place);
        }
        return reports;
      },
      refutes: opening => chance('doubt', opening) < DOUBT,
    });
    const kept = outcome.findings.filter(({ source }) => source === 'model');
    const refuted = outcome.rejected.filter(({ reason }) => reason === 'refuted');
    const taken = [...kept, ...refuted.map(({ finding }) => finding)];
    sum.reports += made.size;
    sum.wrong += [...made.values()].filter(isRight => !isRight).length;
    sum.accepted += taken.filter(({ path, line }) => !right.has(`${path}:${line}`)).length;
    sum.refuted += refuted.length;
    sum.kept += kept.length;
  }
  return sum;
}

/** Judged from what was shown alone: the quote is on the line named, or on exactly one other. */
function rightPlace({ line, quote }: Report, shown: readonly ShownLine[]): string | undefined {
  const squeeze = (text: string): string => text.replace(/\s+/g, '');
  const wanted = squeeze(quote);
  const quoted = shown.filter(each => wanted !== '' && squeeze(each.text).includes(wanted));
  const named = quoted.find(each => String(each.line) === line);
  const place = named ?? (quoted.length === 1 ? quoted[0] : undefined);
  return place && `${place.path}:${place.line}`;
}
