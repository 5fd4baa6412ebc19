import { InvalidStateError, type StateStore } from '@slack/oauth';
import type { OnceStore } from '../../identity/once-store.ts';
import { createSecret, hashSecret, isSecretShaped } from '../../identity/secret.ts';

/** As long as an admin may take at Slack, second factor and approval included. */
export const STATE_LIFE_MS = 10 * 60_000;

/**
 * The states of installations that have begun: each is used once. The package's own state is a signed note that can be
 * used again and again while it lives. That the browser is the one that began is what the package's cookie proves.
 */
export function createInstallState(once: OnceStore, now: () => number): StateStore {
  return {
    async generateStateParam(installOptions) {
      const state = createSecret();
      await once.put(toKey(state), JSON.stringify(installOptions), now() + STATE_LIFE_MS);
      return state;
    },
    async verifyStateParam(_now, state) {
      const text = isSecretShaped(state) ? await once.take(toKey(state)) : undefined;
      if (text === undefined) throw new InvalidStateError('the state is unknown, used, or too old');
      return JSON.parse(text);
    },
  };
}

function toKey(state: string): string {
  return `install-state:${hashSecret(state)}`;
}
