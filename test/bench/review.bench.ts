import { corpus } from '../support/corpus.js';
import { inventOn } from './review/inventions.js';
import { knownBugs, placesIn, reviewKnown } from './review/known-bugs.js';
import { largeChange, runPool } from './review/pool.js';

/** What a request takes on the machines this is for. */
const REQUEST_SECONDS = 1.2;

let hasFailed = false;

function hold(what: string, isHeld: boolean): void {
  console.log(`${isHeld ? 'held  ' : 'MISSED'} ${what}`);
  if (!isHeld) hasFailed = true;
}

await pool();
if (corpus('bugsjs').absent === undefined) {
  await bugs();
  await inventions();
}
process.exitCode = hasFailed ? 1 : 0;

async function pool(): Promise<void> {
  const { alone, runners, merged, withoutOne } = await runPool(largeChange(1500), 8);
  const max = Math.max(...runners.map(({ requests }) => requests));
  const mean = runners.reduce((sum, { requests }) => sum + requests, 0) / runners.length;
  const faster = alone.requests / max;
  const seconds = (requests: number): string => `${(requests * REQUEST_SECONDS).toFixed(0)} s`;
  console.log(
    `1500 hunks: one runner ${alone.requests} requests, ${seconds(alone.requests)};`,
    `eight ${runners.map(({ requests }) => requests).join(' ')}, ${seconds(max)}`,
  );
  hold(`eight runners are ${faster.toFixed(2)} times as fast as one (at least 7)`, faster >= 7);
  hold(`the busiest has ${(max / mean).toFixed(2)} of the mean (at most 1.15)`, max / mean <= 1.15);
  const ids = (findings: ReadonlyArray<{ id: string }>): string =>
    findings
      .map(each => each.id)
      .sort()
      .join();
  const isSame = ids(merged.findings) === ids(alone.outcome.findings);
  hold(`merged they found what one finds (${merged.findings.length})`, isSame);
  hold('merged every hunk is there once', merged.ledger.total === 1500 && merged.complete);
  const { failed, reviewed, total } = withoutOne.ledger;
  const isReported =
    total === 1500 && failed > 0 && failed + reviewed === total && !withoutOne.complete;
  hold(`with one lost its ${failed} hunks are failed, the rest stands`, isReported);
}

async function bugs(): Promise<void> {
  const all = knownBugs();
  const withPlace = all.filter(({ place }) => place !== undefined);
  const started = performance.now();
  let [exact, elsewhere, requests, looks] = [0, 0, 0, 0];
  for (const bug of withPlace) {
    const { outcome, requests: made, secondLooks } = await reviewKnown(bug);
    const wanted = `${bug.place?.path}:${bug.place?.line}`;
    const places = placesIn(outcome);
    if (places.includes(wanted)) exact += 1;
    elsewhere += places.filter(place => place !== wanted).length;
    requests += made;
    looks += secondLooks;
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `${all.length} real bugs, ${all.length - withPlace.length} of them only remove lines;`,
    `${requests} requests (${looks} second looks), ${seconds} s without the model's time`,
  );
  hold(
    `${exact} of ${withPlace.length} known lines are findings on that line`,
    exact === withPlace.length,
  );
  hold(`${elsewhere} findings are elsewhere`, elsewhere === 0);
}

async function inventions(): Promise<void> {
  const { reports, wrong, accepted, refuted, kept } = await inventOn(knownBugs());
  console.log(
    `${reports} invented: ${wrong} with a wrong place or quote, ${refuted} refuted, ${kept} kept`,
  );
  hold(`${accepted} of the ${wrong} with a wrong place or quote were taken`, accepted === 0);
  hold('the rest is mostly refuted', refuted > kept);
}
