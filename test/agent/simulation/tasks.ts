import { chance } from '../../../fixtures/apfel/chance.js';

type Kind = 'read' | 'find' | 'far-read';

/** A task of the simulation, with what its right result is. */
export interface SimulatedTask {
  readonly kind: Kind;
  readonly opening: string;
  readonly files: Readonly<Record<string, string>>;
  readonly path: string;
  readonly name: string;
  readonly value: string;
  /** Requests of a model that makes no mistake, the last word included. */
  readonly minimalRequests: number;
}

const KINDS: readonly Kind[] = ['read', 'find', 'far-read'];

export function simulatedTask(seed: number, kinds: readonly Kind[] = KINDS): SimulatedTask {
  const kind = kinds[seed % kinds.length] ?? 'read';
  const draw = (what: string, max: number): number => Math.floor(chance(seed, what) * max);
  const path = `src/${WORDS[draw('folder', 6)]}/${WORDS[draw('file', 6)]}-${draw('number', 90)}.ts`;
  const name = `${WORDS[draw('name', 6)]}Limit${draw('suffix', 100)}`;
  const value = String(1000 + draw('value', 9000));
  const isFar = kind.startsWith('far');
  const files = {
    [path]: fileWith(
      `export const ${name} = ${value};`,
      isFar ? 700 : 20 + draw('length', 20),
      seed,
    ),
    'src/other.ts': fileWith('export const other = 1;', 30, seed + 1),
    'README.md': '# A project\n\nNothing to see here.\n',
  };
  const task = { kind, files, path, name, value };
  return { ...task, opening: openingOf(task), minimalRequests: MINIMAL[kind] };
}

const WORDS = ['parse', 'render', 'queue', 'cache', 'socket', 'ledger'];

/** Reading and answering; far ones need a search first. */
const MINIMAL: Readonly<Record<Kind, number>> = {
  read: 2,
  find: 2,
  'far-read': 3,
};

function fileWith(line: string, length: number, seed: number): string {
  const lines = Array.from(
    { length },
    (_, at) => `export const value${at} = ${Math.floor(chance(seed, 'line', at) * 1000)}; // item`,
  );
  lines.splice(Math.floor(length * (0.3 + 0.6 * chance(seed, 'place'))), 0, line);
  return `${lines.join('\n')}\n`;
}

function openingOf(task: Omit<SimulatedTask, 'opening' | 'minimalRequests'>): string {
  switch (task.kind) {
    case 'read':
    case 'far-read':
      return `What is the value of ${task.name} in ${task.path}?`;
    case 'find':
      return `Which file defines ${task.name}, and with what value?`;
    default: {
      const never: never = task.kind;
      return never;
    }
  }
}
