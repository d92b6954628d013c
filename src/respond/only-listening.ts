import type { Conversation } from './conversation.js';

/** `--dry-run`: everything is asked, and what would be written is only told. */
export const onlyListening = (forge: Conversation, say: (text: string) => void): Conversation => ({
  ...forge,
  react: async (_, reaction) => say(`would react with ${reaction}`),
  updateComment: async (id, body) => say(`would change comment ${id} to:\n${body}`),
  createComment: async (pull, body) => {
    say(`would comment on #${pull}:\n${body}`);
    const nobody = { id: 0, author: '', isBot: true, createdAt: '', updatedAt: '', url: '' };
    return { ...nobody, body };
  },
});
