import type { Clock } from '../../world.js';
import { parameters, succeeded, type Tool } from '../tool.js';

const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
const DAY_MS = 86_400_000;

/** The model does not know what day it is and makes one up. */
export const getTime = (clock: Pick<Clock, 'now' | 'stamp'>): Tool => ({
  name: 'get_time',
  description: 'The current date and time in UTC. Takes no arguments.',
  parameters: parameters({}),
  example: {},
  run: async () => {
    const now = clock.now();
    const stamp = clock.stamp(now).replace(/\.\d+Z$/, 'Z');
    return succeeded(`${stamp} (${inWords(now, stamp)})`);
  },
});

/** In words as well: a small model gets the month wrong when it has to count. */
function inWords(now: number, stamp: string): string {
  const [, year, month, day, time] = /^(\d+)-(\d+)-(\d+)T(\d+:\d+)/.exec(stamp) ?? [];
  // The first day of the epoch was a Thursday.
  const weekday = DAYS[(Math.floor(now / DAY_MS) + 4) % 7];
  return `${weekday}, ${Number(day)} ${MONTHS[Number(month) - 1]} ${year}, ${time} UTC`;
}
