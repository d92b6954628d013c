import type { Forge } from '../core/forge.js';

/** As much of the forge as it takes to talk on a pull request: no code is read, no review written. */
export type Conversation = Pick<
  Forge,
  | 'repository'
  | 'login'
  | 'pull'
  | 'permissionOf'
  | 'headMovedAt'
  | 'comment'
  | 'comments'
  | 'createComment'
  | 'updateComment'
  | 'react'
  | 'reviewComments'
>;
