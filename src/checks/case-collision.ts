import { foldName } from '../core/fold-name.js';

interface CaseCollision {
  /** An added path. */
  readonly path: string;
  /** The file or folder with the same name on a case-insensitive disk. */
  readonly other: string;
}

/**
 * Added names that collide with another name in the tree on a disk that ignores case and Unicode
 * form, the default on macOS and Windows. `allPaths` is the whole new tree, with or without the added
 * paths. A folder that collides is reported once, not per file.
 */
export function caseCollisions(
  addedPaths: Iterable<string>,
  allPaths: Iterable<string>,
): CaseCollision[] {
  const added = new Set(addedPaths);
  if (added.size === 0) return [];
  const tree: Tree = { spellings: new Map(), folders: new Set(), collidingFolders: new Set() };
  for (const path of allPaths) if (!added.has(path)) addPath(path, tree);
  tree.collidingFolders.clear();

  const collisions: CaseCollision[] = [];
  for (const path of added) {
    const other = addPath(path, tree);
    if (other !== undefined) collisions.push({ path, other });
  }
  return collisions;
}

interface Tree {
  /** The first spelling of every file and folder, by its folded name. */
  readonly spellings: Map<string, string>;
  readonly folders: Set<string>;
  /** Folders already reported; what is in them isn't reported again. */
  readonly collidingFolders: Set<string>;
}

/** Adds a path and its folders; returns the name it is the first to collide with. */
function addPath(path: string, tree: Tree): string | undefined {
  let isReported = false;
  let other: string | undefined;
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    const folder = path.slice(0, slash);
    isReported ||= tree.collidingFolders.has(folder);
    if (tree.folders.has(folder)) continue;
    tree.folders.add(folder);
    const clash = addName(folder, tree);
    if (clash === undefined) continue;
    tree.collidingFolders.add(folder);
    other ??= clash;
  }
  const clash = addName(path, tree);
  return isReported ? undefined : (other ?? clash);
}

function addName(name: string, tree: Tree): string | undefined {
  const folded = foldName(name);
  const spelling = tree.spellings.get(folded);
  if (spelling === undefined) tree.spellings.set(folded, name);
  return spelling === name ? undefined : spelling;
}
