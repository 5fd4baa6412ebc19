import { type InstallURLOptions, InvalidStateError, type StateStore } from '@slack/oauth';
import { createSecret, hashSecret } from '../../identity/secret.ts';
import type { TokenVault } from '../../identity/token-vault.ts';
import type { InstallationUses } from './installation-services.ts';

/** How long an admin may take at Slack, including second factor and approval. */
export const STATE_LIFE_MS = 10 * 60_000;

/** The OAuth state of installations that have begun. A cookie, which @slack/oauth checks, ties it to the browser. */
export type InstallState = StateStore & {
  /** Uses up a state. False: it was used before. */
  use(state: string): Promise<boolean>;
};

type Sealed = { nonce: string; expiresAt: number };

/**
 * Sealed instead of stored, because anybody can begin any number of installations. Only a state that led to an
 * installation is stored, until it expires, so that it works only once.
 */
export function createInstallState(
  wanted: InstallURLOptions,
  { once, vault, now }: InstallationUses<'once' | 'vault' | 'now'>,
): InstallState {
  function open(state: string): Sealed {
    const sealed = read(vault, state);
    if (!sealed || sealed.expiresAt <= now()) throw new InvalidStateError('the state is not ours, or too old');
    return sealed;
  }
  return {
    async generateStateParam() {
      const sealed: Sealed = { nonce: createSecret(), expiresAt: now() + STATE_LIFE_MS };
      return vault.seal(JSON.stringify(sealed), RECORD);
    },
    async verifyStateParam(_now, state) {
      const isUsed = (await once.peek(toKey(open(state)))) !== undefined;
      if (isUsed) throw new InvalidStateError('the state was used');
      return wanted;
    },
    async use(state) {
      const sealed = open(state);
      const claim = createSecret();
      return (await once.claim(toKey(sealed), claim, sealed.expiresAt)) === claim;
    },
  };
}

const RECORD = 'install-state';

function read(vault: TokenVault, state: string): Sealed | undefined {
  try {
    return JSON.parse(vault.open(state, RECORD));
  } catch {
    return undefined;
  }
}

/** Uses the nonce, because one sealed text can be encoded in several ways. */
function toKey({ nonce }: Sealed): string {
  return `install-state:${hashSecret(nonce)}`;
}
