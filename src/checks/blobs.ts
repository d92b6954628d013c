import { isSubmodule, isSymlink } from '../core/change.js';
import { isTimeUp, unlessTimeUp } from '../core/deadline.js';
import { toGlob } from '../diff/select-files.js';
import type { Blob, BlobRequest, Git } from '../git/git.js';
import type { Clock } from '../platform/clock.js';
import { globMatcher } from '../platform/globs.js';
import { syntaxError } from '../platform/syntax.js';
import type { Problem } from './check.js';
import {
  becomesExecutable,
  caseCollisions,
  judgeExecutable,
  judgeFileSize,
  judgeLfs,
  judgeName,
  judgeSymlink,
} from './file-rules.js';
import { type FileSurvey, type Raised, raise } from './file-survey.js';
import { judgeSyntax, maxParsedBytes, syntaxOf } from './invalid-syntax.js';
import { changedDependencies, packageName, staleLockfile } from './packages.js';
import type { SurveyContext } from './survey.js';

/** What, besides the diff, decides which files the model is asked about. */
export interface ReadBlobs {
  /** The first lines of files whose diff doesn't show them. */
  readonly openings: ReadonlyMap<FileSurvey, string>;
  /** The `.gitattributes` files by folder. */
  readonly attributeFiles: ReadonlyArray<{ readonly folder: string; readonly text: string }>;
}

/** Results of the checks that need whole files or the whole tree. */
export interface BlobChecks {
  readonly candidates: ReadonlyMap<FileSurvey, readonly Raised[]>;
  readonly notices: readonly string[];
}

/** Checks objects and names, not lines. Without a repository, only what is in the diff. */
export function blobChecks(
  files: readonly FileSurvey[],
  head: string,
  context: SurveyContext,
  onRead: (read: ReadBlobs) => Promise<void>,
): Promise<BlobChecks> {
  const withoutGit = (): Promise<BlobChecks> =>
    runChecks(files, head, { ...context, git: undefined }, onRead);
  if (isTimeUp(context.signal)) return withoutGit();
  return unlessTimeUp(context.signal, () => runChecks(files, head, context, onRead), withoutGit);
}

async function runChecks(
  files: readonly FileSurvey[],
  head: string,
  context: SurveyContext,
  onRead: (read: ReadBlobs) => Promise<void>,
): Promise<BlobChecks> {
  const { git } = context;
  const isLate = isTimeUp(context.signal);
  const [blobs, paths] = await Promise.all([
    git === undefined ? new Map<string, Blob>() : readBlobs(files, head, git, context.clock),
    git === undefined || !files.some(needsTree) ? undefined : git.listPaths(head),
  ]);
  await context.clock.yieldToEventLoop();
  const attributeFiles = attributes(files, head, blobs);
  await onRead({ openings: openings(files, blobs), attributeFiles });
  const colliding = collisions(files, paths ?? []);
  const named = names(files);
  const modes = modeProblems(files, { blobs, paths, head });
  const stale = staleManifests(files, blobs, paths);
  const lfs = lfsProblems(attributeFiles, blobs);
  const candidates = new Map<FileSurvey, Raised[]>();
  const notices = isLate ? ['no time was left for the checks that need whole files'] : [];
  for (const seen of files) {
    await context.clock.yieldToEventLoop();
    const about = (problem: Problem | undefined): Raised[] =>
      problem === undefined ? [] : [raise({ path: seen.file.path, line: 1 }, problem, true)];
    const raised = [
      ...about(colliding.get(seen)),
      ...about(named.get(seen)),
      ...(stale.get(seen) ?? []),
      ...sizeProblems(seen, blobs)
        // A file's name says more than that it is binary.
        .filter(({ rule }) => rule !== 'new-binary' || !named.has(seen))
        .flatMap(about),
      ...about(modes.get(seen)),
      ...about(await lfs(seen)),
    ];
    const syntax = isLate ? undefined : await checkSyntax(seen, blobs);
    if (syntax === 'too large') notices.push(`${seen.file.path} is too large to be parsed`);
    else if (syntax !== undefined) raised.push(syntax);
    if (raised.length > 0) candidates.set(seen, raised);
  }
  return { candidates, notices };
}

function sizeProblems(seen: FileSurvey, blobs: Blobs): Problem[] {
  const { file } = seen;
  const newBytes =
    file.isBinary || growsMuch(seen) ? blobs.get(file.newBlob ?? '')?.size : addedSize(seen);
  return judgeFileSize({ file, newBytes, oldBytes: blobs.get(file.oldBlob ?? '')?.size });
}

/** The diff of an added file is the file. */
const addedSize = (seen: FileSurvey): number | undefined =>
  seen.file.status === 'added' ? seen.addedBytes : undefined;

/** Whether the names of the whole tree matter: for a new name, a link, or a manifest's lockfile. */
const needsTree = (seen: FileSurvey): boolean =>
  isNewName(seen) || isSymlink(seen.file) || isManifest(seen.file.path);

const isManifest = (path: string): boolean => /(?:^|\/)package\.json$/.test(path);

/** A folder that should not be there is reported once, with its first file. */
function names(files: readonly FileSurvey[]): Map<FileSurvey, Problem> {
  const reported = new Set<string>();
  const found = new Map<FileSurvey, Problem>();
  for (const seen of files) {
    const hit = isNewName(seen) ? judgeName(seen.file) : undefined;
    if (hit === undefined || reported.has(hit.cause)) continue;
    reported.add(hit.cause);
    found.set(seen, hit);
  }
  return found;
}

/**
 * Executables without `#!` usually come in dozens, from another disk, so a folder is reported once.
 */
function modeProblems(
  files: readonly FileSurvey[],
  { blobs, paths, head }: { blobs: Blobs; paths: readonly string[] | undefined; head: string },
): Map<FileSurvey, Problem> {
  const found = new Map<FileSurvey, Problem>();
  const folders = new Map<string, { seen: FileSurvey; hit: Problem; others: number }>();
  for (const seen of files) {
    const { file } = seen;
    if (isNewLink(seen)) {
      const hit = judgeSymlink(file.path, seen.opening.split('\n', 1)[0] ?? '', paths);
      if (hit !== undefined) found.set(seen, hit);
    }
    if (!becomesExecutable(file)) continue;
    // A diff of the mode alone doesn't name the blob.
    const opening = openingOf(seen, blobs) ?? textOf(blobs.get(blobName(head, file.path)));
    const hit = judgeExecutable(file, opening);
    if (hit === undefined) continue;
    const folder = file.path.slice(0, file.path.lastIndexOf('/') + 1);
    const first = folders.get(folder);
    if (first === undefined) folders.set(folder, { seen, hit, others: 0 });
    else first.others += 1;
  }
  for (const { seen, hit, others } of folders.values()) {
    const more = others === 0 ? '' : ` (The same goes for ${others} more in this folder.)`;
    found.set(seen, { ...hit, message: hit.message + more });
  }
  return found;
}

const isNewLink = ({ file, addedBytes }: FileSurvey): boolean =>
  isSymlink(file) && file.status !== 'deleted' && addedBytes > 0;

const openingOf = (seen: FileSurvey, blobs: Blobs): string | undefined => {
  const showsOpening = seen.file.status === 'added' || seen.hunks[0]?.newStart === 1;
  return showsOpening ? seen.opening : textOf(blobs.get(seen.file.newBlob ?? ''))?.slice(0, 1024);
};

/** The patterns of `.gitattributes` with `filter=lfs`, as a function that judges a file. */
function lfsProblems(
  attributeFiles: ReadBlobs['attributeFiles'],
  blobs: Blobs,
): (seen: FileSurvey) => Promise<Problem | undefined> {
  const patterns = attributeFiles.flatMap(({ folder, text }) =>
    text.includes('filter=lfs')
      ? [...text.matchAll(LFS_LINE)].map(([, pattern = '']) => folder + toGlob(pattern))
      : [],
  );
  const matching = globMatcher(patterns);
  return async seen => {
    const { file } = seen;
    const isContent = file.isBinary || seen.addedBytes > 0;
    if (!isContent || isSubmodule(file) || file.status === 'deleted') return undefined;
    return (await matching)(file.path) ? judgeLfs(file, openingOf(seen, blobs) ?? '') : undefined;
  };
}

const LFS_LINE = /^[ \t]*([^#\s]\S*)[ \t]+(?:\S+[ \t]+)*filter=lfs\b/gm;

/**
 * Manifests whose versions differ from the lockfile, which the change doesn't touch; once per
 * lockfile. A release of several packages of one repository changes the versions they have of each
 * other.
 */
function staleManifests(
  files: readonly FileSurvey[],
  blobs: Blobs,
  paths: readonly string[] | undefined,
): Map<FileSurvey, Raised[]> {
  const found = new Map<FileSurvey, Raised[]>();
  const manifests = files.flatMap(seen => {
    const { path, oldBlob, newBlob } = seen.file;
    const before = isManifest(path) ? textOf(blobs.get(oldBlob ?? '')) : undefined;
    const now = textOf(blobs.get(newBlob ?? ''));
    return before === undefined || now === undefined ? [] : [{ seen, before, now }];
  });
  if (paths === undefined || manifests.length === 0) return found;
  const own = new Set(manifests.map(({ now }) => packageName(now)));
  const touched = new Set(files.map(({ file }) => file.path));
  const reported = new Set<string>();
  for (const { seen, before, now } of manifests) {
    const { path } = seen.file;
    const changed = changedDependencies(before, now).filter(name => !own.has(name));
    const lock = changed.length === 0 ? undefined : staleLockfile(path, touched, paths);
    if (lock === undefined || reported.has(lock)) continue;
    reported.add(lock);
    const lines = now.split('\n');
    const line = seen.addedLines.find(number =>
      changed.some(name => lines[number - 1]?.includes(`"${name}"`)),
    );
    const text = lines[(line ?? 0) - 1];
    const place = { path, line: line ?? seen.addedLines[0] ?? 1, text };
    const message = `${changed.join(', ')} changed here but not in ${lock}. Run the package manager's install and commit both.`;
    found.set(seen, [raise(place, { rule: 'lockfile/missing', message }, false)]);
  }
  return found;
}

function collisions(
  files: readonly FileSurvey[],
  paths: readonly string[],
): Map<FileSurvey, Problem> {
  const added = new Map(files.filter(isNewName).map(seen => [seen.file.path, seen] as const));
  const found = new Map<FileSurvey, Problem>();
  for (const { path, other } of caseCollisions(added.keys(), paths)) {
    const seen = added.get(path);
    const message = `${path} and ${other} are the same file on a case-insensitive disk, the default on macOS.`;
    if (seen !== undefined) found.set(seen, { rule: 'case-collision', message });
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

/** By blob id or `<commit>:path`, whichever was requested. */
type Blobs = ReadonlyMap<string, Blob>;

/** A "generated" marker is within the first lines, if there is one. */
const OPENING_BYTES = 1024;
/** In a change of more files than this, reading the start of every file isn't worth the time. */
const MAX_OPENINGS = 500;
const MAX_ATTRIBUTE_BYTES = 64 * 1024;
const MAX_ATTRIBUTE_FOLDERS = 500;

/** Reads the objects that the checks need and the diff doesn't show, through one git process. */
async function readBlobs(
  files: readonly FileSurvey[],
  head: string,
  git: Git,
  clock: Clock,
): Promise<Blobs> {
  const requests = new Map<string, BlobRequest>();
  const request = (id: string | undefined, keep: number): void => {
    if (id === undefined || /^0+$/.test(id)) return;
    requests.set(id, { id, keep: Math.max(keep, requests.get(id)?.keep ?? 0) });
  };
  const folders = attributeFolders(files.map(seen => seen.file.path));
  for (const folder of folders.slice(0, MAX_ATTRIBUTE_FOLDERS)) {
    request(attributeName(head, folder), MAX_ATTRIBUTE_BYTES);
  }
  for (const seen of files) {
    await clock.yieldToEventLoop();
    for (const [id, keep] of requestsFor(seen, files.length, head)) request(id, keep);
  }
  const blobs = new Map<string, Blob>();
  for await (const blob of git.blobs([...requests.values()])) blobs.set(blob.id, blob);
  return blobs;
}

type Wanted = readonly [id: string | undefined, keep: number];

function requestsFor(seen: FileSurvey, fileCount: number, head: string): Wanted[] {
  const { file } = seen;
  if (file.status === 'deleted' || isSubmodule(file) || isSymlink(file)) return [];
  const both = (keep: number): Wanted[] => [
    [file.newBlob, keep],
    [file.oldBlob, keep],
  ];
  if (file.isBinary) return both(0);
  if (seen.hunks.length === 0) {
    return becomesExecutable(file) ? [[blobName(head, file.path), OPENING_BYTES]] : [];
  }
  if (syntaxOf(file.path) !== undefined && seen.whole === undefined) {
    return both(maxParsedBytes(file.path));
  }
  const sizes = growsMuch(seen) ? both(0) : [];
  const showsOpening = file.status === 'added' || (seen.hunks[0]?.newStart ?? 0) <= 1;
  const isCheap = !showsOpening && fileCount <= MAX_OPENINGS;
  return isCheap ? [...sizes, [file.newBlob, OPENING_BYTES]] : sizes;
}

/** So much was added that the size of the whole file matters. */
const growsMuch = ({ file, addedBytes }: FileSurvey): boolean =>
  file.status !== 'added' && addedBytes >= 64 * 1024;

/** `.gitattributes` of a folder in the reviewed tree; the one in the work tree isn't trusted. */
const attributeName = (head: string, folder: string): string =>
  blobName(head, `${folder}.gitattributes`);

const blobName = (head: string, path: string): string =>
  `${head === 'index' ? ':0' : head}:${path}`;

/** The folders whose `.gitattributes` can apply to these paths, from the top down. */
function attributeFolders(paths: Iterable<string>): string[] {
  const folders = new Set(['']);
  for (const path of paths) {
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
      folders.add(path.slice(0, at + 1));
    }
  }
  // A line break would end the request, and names that aren't UTF-8 can't be requested.
  return [...folders].filter(folder => !/[\n\udc80-\udcff]/u.test(folder));
}

const textOf = (blob: Blob | undefined): string | undefined =>
  blob === undefined ? undefined : new TextDecoder().decode(blob.bytes);

/** Parses the new file and, if that fails, the old one. */
async function checkSyntax(
  seen: FileSurvey,
  blobs: Blobs,
): Promise<Raised | 'too large' | undefined> {
  const { file } = seen;
  const kind = syntaxOf(file.path);
  if (kind === undefined || isSymlink(file) || seen.addedLines.length === 0) return undefined;
  // A conflict is reported already, and nothing parses with one.
  if (seen.candidates.some(({ candidate }) => candidate.rule === 'conflict-marker'))
    return undefined;
  const newBlob = blobs.get(file.newBlob ?? '');
  if ((newBlob?.size ?? seen.addedBytes) > maxParsedBytes(file.path)) return 'too large';
  const text = seen.whole === undefined ? textOf(newBlob) : `${seen.whole.join('\n')}\n`;
  // A diff on standard input shows only parts of modified files.
  if (text === undefined) return undefined;
  const newProblem = await syntaxError(kind, text);
  if (newProblem === undefined) return undefined;
  const oldText = file.oldPath === undefined ? undefined : textOf(blobs.get(file.oldBlob ?? ''));
  const oldProblem = oldText === undefined ? undefined : await syntaxError(kind, oldText);
  const hit = judgeSyntax({
    path: file.path,
    kind,
    newProblem,
    oldProblem,
    addedLines: seen.addedLines,
  });
  if (hit === undefined) return undefined;
  const { line, column } = hit;
  const endColumn = column === undefined ? undefined : column + 1;
  const evidence = text.split('\n')[line - 1]?.replace(/\r$/, '');
  return raise({ path: file.path, line, column, endColumn, text: evidence }, hit, false);
}
