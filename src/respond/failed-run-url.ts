/** The page of the workflow run that we are in; undefined where the environment does not say. */
export function failedRunUrl(
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const server = env['GITHUB_SERVER_URL'] || 'https://github.com';
  const repository = env['GITHUB_REPOSITORY'] ?? '';
  const run = env['GITHUB_RUN_ID'] ?? '';
  // It becomes a link in a comment: nothing but an address of this shape will do.
  const isPlain =
    /^https?:\/\/[\w.-]+(?::\d{1,5})?$/.test(server) &&
    /^[\w.-]+\/[\w.-]+$/.test(repository) &&
    /^\d{1,20}$/.test(run);
  return isPlain ? `${server}/${repository}/actions/runs/${run}` : undefined;
}
