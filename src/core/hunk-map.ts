/** Something about each hunk. In two steps, since a joined key would be made anew for every look. */
export class HunkMap<Value> {
  readonly #files = new Map<string, Map<number, Value>>();

  get(path: string, hunk: number): Value | undefined {
    return this.#files.get(path)?.get(hunk);
  }

  set(path: string, hunk: number, value: Value): void {
    const file = this.#files.get(path);
    if (file === undefined) this.#files.set(path, new Map([[hunk, value]]));
    else file.set(hunk, value);
  }
}
