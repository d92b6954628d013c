import { pathToBytes } from '../../core/path-bytes.js';
import { askGit } from '../commit/git-commit-ask.js';
import { asObjectId, listTree } from '../commit/git-commit-tree.js';
import type { ScratchRepository } from './scratch.js';
import { clashingPaths } from './scratch-clashes.js';
import { scratchFiles } from './scratch-files.js';

/** The copy with some files as another state has them, new ones included; the rest stays as it is. */
export async function scratchOverlay(
  scratch: ScratchRepository,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<ScratchRepository> {
  const { spot } = scratch;
  const entries: Buffer[] = [];
  for (const [path, bytes] of files) {
    const id = asObjectId((await askGit(spot, HASH, bytes)).toString('latin1').trim());
    entries.push(Buffer.concat([Buffer.from(`100644 ${id}\t`), nulTerminated(path)]));
  }
  await askGit(spot, ['update-index', '-z', '--index-info'], Buffer.concat(entries));
  const paths = Buffer.concat([...files.keys()].map(nulTerminated));
  await askGit(spot, ['checkout-index', '--force', '--quiet', '--index', '-z', '--stdin'], paths);
  const tree = asObjectId((await askGit(spot, ['write-tree'])).toString('latin1').trim());
  const tracked = await listTree(spot, tree);
  const clashing = await clashingPaths(spot.cwd, tracked);
  return { ...scratch, ...scratchFiles({ spot, tracked, clashing }), commit: tree, clashing };
}

const HASH = ['hash-object', '-w', '--no-filters', '--stdin'];

const nulTerminated = (path: string): Buffer =>
  Buffer.concat([pathToBytes(path), Buffer.from([0])]);
