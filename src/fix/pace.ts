/** How fast a row of equal steps goes. */
export interface Pace {
  step(): void;
  /** Words for the time that so many steps will take; none while that is a guess. */
  left(steps: number): string[];
}

/** The first steps load things, and say little about the later ones. */
const FEWEST_STEPS = 3;

/** `now` and `endsAt` in milliseconds; nothing goes on after `endsAt`. */
export function startPace(now: () => number, endsAt: number): Pace {
  const startedAt = now();
  let done = 0;
  return {
    step: () => {
      done += 1;
    },
    left: steps => {
      if (done < FEWEST_STEPS || steps === 0) return [];
      const expected = ((now() - startedAt) / done) * steps;
      const most = Math.max(0, endsAt - now());
      return expected <= most
        ? [`about ${inWords(expected)} to go`]
        : [`the time is up in ${inWords(most)}, before the last of them`];
    },
  };
}

/** Nobody plans by the second when it takes minutes. */
function inWords(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}
