import type { ChannelAnswers } from './account-link.ts';
import { LinkRefusedError } from './identity-errors.ts';
import type { SignInStep } from './identity-provider.ts';
import type { Ticket } from './link-ticket.ts';
import type { OnceStore } from './once-store.ts';
import { createSecret, hashSecret, isSecretShaped } from './secret.ts';

/** Which callback is waited for. */
export type StepName = 'slack' | 'account';

/** What the person decided before the browser left for elsewhere. */
export type SignInIntent = { ticket: Ticket; channelAnswers: ChannelAnswers };

export type PendingStep = SignInStep & SignInIntent;

export type PendingSteps = {
  /** Makes the state, nonce and verifier of one trip elsewhere, bound to the browser that holds `cookie`. */
  open(name: StepName, cookie: string, trip: SignInIntent & { redirectUri: string }): Promise<PendingStep>;
  /**
   * Uses up the step that a callback belongs to. Throws LinkRefusedError: `step_unknown`, or `other_browser`, which
   * leaves the step to the browser that began it.
   */
  claim(name: StepName, callback: URLSearchParams, cookie: string | undefined): Promise<PendingStep>;
};

type StoredStep = { pending: PendingStep; cookieHash: string };

/** As long as a person may take at Slack or at the identity provider, second factor included. */
export const STEP_LIFE_MS = 10 * 60_000;

export function createPendingSteps(once: OnceStore, now: () => number): PendingSteps {
  return {
    async open(name, cookie, trip) {
      const pending = { ...trip, state: createSecret(), nonce: createSecret(), codeVerifier: createSecret() };
      const stored: StoredStep = { pending, cookieHash: hashSecret(cookie) };
      await once.put(toKey(name, pending.state), JSON.stringify(stored), now() + STEP_LIFE_MS);
      return pending;
    },
    async claim(name, callback, cookie) {
      const state = callback.get('state');
      if (!isSecretShaped(state)) throw new LinkRefusedError('step_unknown');
      const key = toKey(name, state);
      const text = await once.peek(key);
      if (text === undefined) throw new LinkRefusedError('step_unknown');
      const stored: StoredStep = JSON.parse(text);
      if (cookie === undefined || hashSecret(cookie) !== stored.cookieHash) throw new LinkRefusedError('other_browser');
      if ((await once.take(key)) === undefined) throw new LinkRefusedError('step_unknown');
      return stored.pending;
    },
  };
}

function toKey(name: StepName, state: string): string {
  return `link-step:${name}:${hashSecret(state)}`;
}
