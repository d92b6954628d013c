import type { Forge } from '../core/forge.js';
import { converge, type Pause } from './converge.js';
import { ownMarked } from './own-comments.js';

export interface Talk {
  readonly pull: number;
  readonly author: string;
  /** Hidden, at the start of the body. */
  readonly mark: string;
  readonly body: string;
  /** Called right before the first write; throws when it must not be made. */
  readonly mayWrite: () => Promise<void>;
}

/** One comment for one run, however often it is posted. */
export async function postTalk(
  forge: Pick<Forge, 'comments' | 'createComment' | 'deleteComment'>,
  talk: Talk,
  pause: Pause,
): Promise<'posted' | 'unchanged'> {
  let ending: 'posted' | 'unchanged' = 'unchanged';
  const round = async (): Promise<boolean> => {
    const own = ownMarked(await forge.comments(talk.pull), talk.author, talk.mark);
    if (own.length === 0) {
      await talk.mayWrite();
      ending = 'posted';
      await forge.createComment(talk.pull, `${talk.mark}\n${talk.body}`);
      return false;
    }
    for (const double of own.slice(1)) await forge.deleteComment(double);
    return true;
  };
  await converge(round, pause);
  return ending;
}
