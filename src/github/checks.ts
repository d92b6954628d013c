import { attempt, type GithubContext, ONCE, PER_PAGE } from './client.js';
import type { Github, GithubCheck, GithubCheckRun } from './types.js';

type Checks = Pick<Github, 'checks' | 'createCheck' | 'updateCheck'>;

const NEEDS_READ = 'checks: read';
const NEEDS_WRITE = 'checks: write';

/** Check runs. Only an app can make them, which the token of a workflow is. */
export function githubChecks({ client, where }: GithubContext): Checks {
  const { checks } = client.rest;
  return {
    checks: (commit, name) =>
      attempt({ what: 'read the checks', needs: NEEDS_READ }, async () => {
        const query = { ...where, ref: commit, check_name: name, per_page: PER_PAGE };
        // The newest come first; older ones of the same content have been overtaken.
        const { data } = await checks.listForRef(query);
        return data.check_runs.map(toRun).sort((one, other) => other.id - one.id);
      }),
    createCheck: check =>
      attempt({ what: 'set the check', needs: NEEDS_WRITE, isOnce: true }, async () => {
        const options = { ...where, ...toWire(check), head_sha: check.commit, request: ONCE };
        return toRun((await checks.create(options)).data);
      }),
    updateCheck: (id, check) =>
      // Annotations are appended, so twice the same would be there twice.
      attempt({ what: 'annotate the check', needs: NEEDS_WRITE, isOnce: true }, async () => {
        await checks.update({ ...where, ...toWire(check), check_run_id: id, request: ONCE });
      }),
  };
}

const toRun = (run: {
  readonly id: number;
  readonly external_id: string | null;
  readonly output: { readonly annotations_count: number };
}): GithubCheckRun => ({
  id: run.id,
  digest: run.external_id || null,
  annotations: run.output.annotations_count,
});

const toWire = (check: GithubCheck) => ({
  name: check.name,
  external_id: check.digest,
  status: 'completed' as const,
  conclusion: check.conclusion,
  output: {
    title: check.title,
    summary: check.summary,
    annotations: check.annotations.map(note => ({
      path: note.path,
      start_line: note.startLine,
      end_line: note.endLine,
      annotation_level: note.level,
      title: note.title,
      message: note.message,
    })),
  },
});
