import { isTimeUp, unlessTimeUp } from '../core/time-up.js';
import type { World } from '../world.js';
import {
  attributeFolders,
  attributeName,
  type Blobs,
  growsMuch,
  lookAtBlobs,
  textOf,
} from './blob-look.js';
import { caseCollisions } from './case-collision.js';
import { judgeFileSize } from './file-size.js';
import type { FileSurvey } from './file-survey.js';
import { type Raised, raise } from './raise.js';
import { lookAtSyntax } from './syntax-look.js';

/** What whole files and the whole tree show that the diff does not. */
export interface Looks {
  /** The first lines of files whose change does not show them. */
  readonly openings: ReadonlyMap<FileSurvey, string>;
  /** Texts of `.gitattributes` by folder. */
  readonly attributeFiles: ReadonlyArray<{ readonly folder: string; readonly text: string }>;
  readonly claims: ReadonlyMap<FileSurvey, readonly Raised[]>;
  readonly notices: readonly string[];
}

/** Looks at objects and names, not at lines. Without a repository only at what the diff brought. */
export function secondLook(
  files: readonly FileSurvey[],
  head: string,
  world: World,
): Promise<Looks> {
  const late = (): Promise<Looks> => lookAt(files, head, { ...world, git: undefined });
  if (isTimeUp(world.signal)) return late();
  return unlessTimeUp(world.signal, () => lookAt(files, head, world), late);
}

async function lookAt(files: readonly FileSurvey[], head: string, world: World): Promise<Looks> {
  const { git } = world;
  const isLate = isTimeUp(world.signal);
  const [blobs, colliding] = await Promise.all([
    git === undefined ? new Map() : lookAtBlobs(files, head, { git, clock: world.clock }),
    collisions(files, async () => {
      const paths = git === undefined ? [] : await git.listPaths(head);
      await world.clock.breathe();
      return paths;
    }),
  ]);
  const claims = new Map<FileSurvey, Raised[]>();
  const notices = isLate ? ['no time was left for checks that need whole files'] : [];
  for (const seen of files) {
    await world.clock.breathe();
    const raised = [...(colliding.get(seen) ?? []), ...sizeClaims(seen, blobs)];
    const syntax = isLate ? undefined : await lookAtSyntax(seen, blobs, world.syntax);
    if (syntax === 'too large') notices.push(`${seen.file.path} is too large to be parsed`);
    else if (syntax !== undefined) raised.push(syntax);
    if (raised.length > 0) claims.set(seen, raised);
  }
  return {
    openings: openings(files, blobs),
    attributeFiles: attributes(files, head, blobs),
    claims,
    notices,
  };
}

function sizeClaims(seen: FileSurvey, blobs: Blobs): Raised[] {
  const { file } = seen;
  const isAsked = file.isBinary || growsMuch(seen);
  const newBytes = isAsked ? blobs.get(file.newBlob ?? '')?.size : addedSize(seen);
  const oldBytes = blobs.get(file.oldBlob ?? '')?.size;
  return judgeFileSize({ file, newBytes, oldBytes }).map(hit =>
    raise({ path: file.path, line: 1 }, hit, true),
  );
}

/** The diff of an added file is the file. */
const addedSize = (seen: FileSurvey): number | undefined =>
  seen.file.status === 'added' ? seen.addedBytes : undefined;

async function collisions(
  files: readonly FileSurvey[],
  listPaths: () => Promise<readonly string[]>,
): Promise<Map<FileSurvey, Raised[]>> {
  const added = new Map(
    files.filter(seen => isNewName(seen)).map(seen => [seen.file.path, seen] as const),
  );
  const found = new Map<FileSurvey, Raised[]>();
  if (added.size === 0) return found;
  for (const { path, other } of caseCollisions(added.keys(), await listPaths())) {
    const seen = added.get(path);
    const message = `${path} and ${other} are one file on a disk that ignores case, as macOS has by default.`;
    const raised = raise({ path, line: 1 }, { rule: 'case-collision', message }, true);
    if (seen !== undefined) found.set(seen, [raised]);
  }
  return found;
}

const isNewName = ({ file }: FileSurvey): boolean =>
  file.status === 'added' || file.status === 'renamed' || file.status === 'copied';

function openings(files: readonly FileSurvey[], blobs: Blobs): Map<FileSurvey, string> {
  return new Map(
    files.flatMap(seen => {
      const text = textOf(blobs.get(seen.file.newBlob ?? ''))?.slice(0, 1024);
      return text === undefined ? [] : [[seen, text] as const];
    }),
  );
}

const attributes = (
  files: readonly FileSurvey[],
  head: string,
  blobs: Blobs,
): Array<{ folder: string; text: string }> =>
  attributeFolders(files.map(seen => seen.file.path)).flatMap(folder => {
    const text = textOf(blobs.get(attributeName(head, folder)));
    return text === undefined ? [] : [{ folder, text }];
  });
