import { join } from 'node:path';
import { openRepo, prepared } from '../support/with-repo.js';

/** A clone with the branches main and topic, and `hub.git`, where both are pushed. */
export const twoBranches = (
  main: Readonly<Record<string, string>>,
  topic: Readonly<Record<string, string>>,
): ReturnType<typeof prepared> =>
  prepared(async dir => {
    const repo = openRepo(join(dir, 'clone'));
    await openRepo(dir).git('init', '--quiet', '--bare', '--initial-branch', 'main', 'hub.git');
    await openRepo(dir).git('init', '--quiet', '--initial-branch', 'main', 'clone');
    await repo.commit(main);
    await repo.git('switch', '--quiet', '--create', 'topic');
    await repo.commit(topic);
    await repo.git('remote', 'add', 'origin', '../hub.git');
    await repo.git('push', '--quiet', 'origin', 'main', 'topic');
  }, 'clone');
