import { type AuditRun, readFacts } from '../../src/runs/audit-run.js';
import { readConversations } from '../../src/runs/read-conversations.js';
import { ask, call, end, recovery, reply, result } from './sample-lines.js';
import { reviewRun } from './sample-run.js';

/** Each would run, lead away or load something if it were anything but text. */
const EVIL = [
  '</script><script>window.owned=1</script>',
  '</style><style>body{display:none}</style>',
  '<img src=x onerror="window.owned=2">',
  '"><svg onload=window.owned=3>',
  "' onmouseover='window.owned=4",
  '<a href="javascript:window.owned=5">click</a>',
  '<iframe srcdoc="<script>parent.owned=6</script>"></iframe>',
  '<form action="https://evil.example"><input name=q></form>',
  '<base href="https://evil.example/"><meta http-equiv=refresh content="0;url=https://evil.example">',
  '<!-- ]]> -->\u202e\u0000\u001b[2J',
].join('\n');

/** A run in which every text that somebody else could have written is hostile. */
export function hostileRun(): AuditRun {
  const run = poison(reviewRun());
  const said = { atMs: 1, system: EVIL, opening: `file ${EVIL}` };
  const lines = [
    { type: 'work', work: EVIL },
    ask(1, { ...said, history: [EVIL], compaction: EVIL }),
    reply(1, { [EVIL]: EVIL }, 5),
    call(EVIL, { [EVIL]: EVIL }, [EVIL]),
    result(
      EVIL,
      EVIL,
      { path: EVIL, line: EVIL, oldText: EVIL, newText: EVIL, [EVIL]: EVIL },
      true,
    ),
    recovery(EVIL, EVIL, EVIL),
    end(EVIL, EVIL),
  ];
  return { ...run, ...readConversations(lines), facts: readFacts(run.facts) };
}

/** Every text of the value, save those that a schema holds to a few words. */
function poison<Value>(value: Value, key?: string): Value;
function poison(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return CHECKED.has(key) ? value : `${value}${EVIL}`;
  if (Array.isArray(value)) return value.map(each => poison(each, key));
  if (typeof value !== 'object' || value === null || value instanceof Map) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, poison(each, name)]),
  );
}

const CHECKED = new Set([
  'kind',
  'state',
  'severity',
  'source',
  'side',
  'task',
  'origin',
  'status',
]);
