import { createTokenVault } from '../../src/identity/token-vault.ts';

export const A_VAULT = createTokenVault([{ id: 'k', key: Buffer.alloc(32, 7) }]);

/** For stores in which all that is sealed can be opened. */
export function failToOpen(kind: string, error: unknown): never {
  throw new Error(`a ${kind} was not opened`, { cause: error });
}
