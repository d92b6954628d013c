import { attempt, eachOnce, type GithubContext, idOf, ONCE, PER_PAGE } from './client.js';

export interface GithubCheck {
  readonly name: string;
  readonly commit: string;
  /** Of the content, so that the same check isn't created twice. */
  readonly digest: string;
  readonly conclusion: 'success' | 'failure' | 'neutral';
  readonly title: string;
  readonly summary: string;
  /** At most `MAX_ANNOTATIONS`. */
  readonly annotations: ReadonlyArray<{
    readonly path: string;
    readonly start_line: number;
    readonly end_line: number;
    readonly annotation_level: 'notice' | 'warning' | 'failure';
    readonly title: string;
    readonly message: string;
  }>;
}

/** The most annotations that GitHub takes in one request. */
export const MAX_ANNOTATIONS = 50;

const NEEDS_READ = 'checks: read';
const NEEDS_WRITE = 'checks: write';

/** Check runs. Only apps can create them; the token of a workflow belongs to one. */
export function githubChecks({ client, where }: GithubContext) {
  /** Created by this run: GitHub's lists may lag behind a write. */
  const created: Array<{ commit: string; name: string; run: CheckRun }> = [];
  return {
    /** Checks of this name on the commit, newest first. */
    checks: (commit: string, name: string): Promise<readonly CheckRun[]> =>
      attempt({ what: 'read the checks', needs: NEEDS_READ }, async () => {
        const query = { ...where, ref: commit, check_name: name, per_page: PER_PAGE };
        const { data } = await client.rest.checks.listForRef(query);
        const own = created.filter(each => each.commit === commit && each.name === name);
        const runs = [...own.map(({ run }) => run), ...data.check_runs.map(toRun)];
        return eachOnce(runs).sort((one, other) => other.id - one.id);
      }),
    /** A completed check with its first batch of annotations. */
    createCheck: (check: GithubCheck): Promise<CheckRun> =>
      attempt({ what: 'create the check', needs: NEEDS_WRITE, isOnce: true }, async () => {
        const options = { ...where, ...toWire(check), head_sha: check.commit, request: ONCE };
        const run = toRun((await client.rest.checks.create(options)).data);
        created.push({ commit: check.commit, name: check.name, run });
        return run;
      }),
    /** The next batch: GitHub appends annotations, so sending a batch twice would show it twice. */
    updateCheck: (id: number, check: GithubCheck): Promise<void> =>
      attempt({ what: 'annotate the check', needs: NEEDS_WRITE, isOnce: true }, async () => {
        const options = { ...where, ...toWire(check), check_run_id: id, request: ONCE };
        const run = toRun((await client.rest.checks.update(options)).data);
        for (const each of created) if (each.run.id === id) each.run = run;
      }),
  };
}

const toRun = (run: {
  readonly id: number;
  readonly external_id: string | null;
  readonly output: { readonly annotations_count: number };
}) => ({
  id: idOf(run),
  /** The digest it was created with; null for somebody else's check. */
  digest: run.external_id || null,
  annotations: run.output.annotations_count,
});

type CheckRun = ReturnType<typeof toRun>;

const toWire = (check: GithubCheck) => ({
  name: check.name,
  external_id: check.digest,
  status: 'completed' as const,
  conclusion: check.conclusion,
  output: { title: check.title, summary: check.summary, annotations: [...check.annotations] },
});
