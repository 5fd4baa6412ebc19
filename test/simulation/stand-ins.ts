// What a simulated process needs and is not about: a log that says nothing, and a vault without ciphers, which are slow.
import type { TokenVault } from '../../src/identity/token-vault.ts';
import { createLog } from '../../src/log.ts';

export const SILENT = createLog('silent');

export const VAULT: TokenVault = {
  seal: (text) => `v1.sim.${text}`,
  open: (sealed) => sealed.slice('v1.sim.'.length),
  isNewest: () => true,
};
