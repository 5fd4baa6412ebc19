// What a simulated process needs and is not about: a log that only tells of bugs, and a vault without ciphers, which are slow.
import { BridgeError } from '../../src/errors.ts';
import type { TokenVault } from '../../src/identity/token-vault.ts';
import { createLog, type Log } from '../../src/log.ts';

const SILENT = createLog('silent');

/** `onBug`: gets each logged error that is none of ours. The app goes on after it, and tries again or gives up. */
export function createBugLog(onBug: (error: unknown) => void): Log {
  const error = ({ err }: { err?: unknown }) => {
    if (err !== undefined && !(err instanceof BridgeError)) onBug(err);
  };
  return Object.create(SILENT, { error: { value: error } });
}

export const VAULT: TokenVault = {
  seal: (text) => `v1.sim.${text}`,
  open: (sealed) => sealed.slice('v1.sim.'.length),
  isNewest: () => true,
};
