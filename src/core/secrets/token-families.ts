import { ai } from './ai.js';
import { chat } from './chat.js';
import { cloud } from './cloud.js';
import { forges } from './forges.js';
import { payments } from './payments.js';
import { services } from './services.js';
import type { TokenFamily } from './token-formats.js';
import { vaults } from './vaults.js';

/** Every token that is known by its own form. */
export const tokenFamilies: readonly TokenFamily[] = [
  ...cloud,
  ...vaults,
  ...forges,
  ...payments,
  ...chat,
  ...ai,
  ...services,
];
