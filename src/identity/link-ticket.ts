import type { Person } from '../conversation/question.ts';
import type { ChannelAnswers, ExpiringStore, LinkKey, Purpose } from './account-link.ts';
import { createBrowserBound } from './browser-bound.ts';
import type { SignInStep } from './identity-provider.ts';
import { createSecret, hashSecret, isSecretShaped } from './secret.ts';

/**
 * Who asked in Slack to sign in, and for what. It proves where a link came from, not who opens it. `app`: the id of the
 * Slack app, for the way back to it.
 */
export type Ticket = { person: Person; workspace: string; purpose: Purpose; app?: string };

export function keyOf({ person: { team, user }, purpose }: Ticket): LinkKey {
  return { team, user, purpose };
}

export type TicketBook = {
  issue(ticket: Ticket): Promise<string>;
  peek(secret: string): Promise<Ticket | undefined>;
  take(secret: string): Promise<Ticket | undefined>;
};

const TICKET_LIFE_MS = 10 * 60_000;

/** Tickets live 10 min and are stored by their hash. */
export function createTicketBook(once: ExpiringStore, now: () => number): TicketBook {
  return {
    async issue(ticket) {
      const secret = createSecret();
      await once.put(toKey(secret), JSON.stringify(ticket), now() + TICKET_LIFE_MS);
      return secret;
    },
    peek: (secret) => read(secret, (key) => once.peek(key)),
    take: (secret) => read(secret, (key) => once.take(key)),
  };
}

/** Which callback is expected. */
export type StepName = 'slack' | 'account';

/** What the person chose before the redirect. */
export type SignInIntent = { ticket: Ticket; channelAnswers: ChannelAnswers };

export type PendingStep = SignInStep & SignInIntent;

export type PendingSteps = {
  /** Creates the state, nonce and verifier of one redirect, bound to the browser that holds `cookie`. */
  open(name: StepName, cookie: string, trip: SignInIntent & { redirectUri: string }): Promise<PendingStep>;
  /**
   * Uses up the step of a callback. Throws LinkRefusedError: `step_unknown`, or `other_browser`, which keeps the step for
   * the browser that began it.
   */
  claim(name: StepName, callback: URLSearchParams, cookie: string | undefined): Promise<PendingStep>;
};

/** How long a person may take at Slack or at the identity provider, second factor included. */
export const STEP_LIFE_MS = 10 * 60_000;

export function createPendingSteps(once: ExpiringStore, now: () => number): PendingSteps {
  const toBound = (name: StepName) =>
    createBrowserBound<PendingStep>(`link-step:${name}`, { once, now, lifeMs: STEP_LIFE_MS });
  const bound = { slack: toBound('slack'), account: toBound('account') };
  return {
    async open(name, cookie, trip) {
      const pending = { ...trip, state: createSecret(), nonce: createSecret(), codeVerifier: createSecret() };
      await bound[name].put(pending, { secret: pending.state, cookie });
      return pending;
    },
    claim: (name, callback, cookie) => bound[name].take({ secret: callback.get('state'), cookie }),
  };
}

async function read(secret: string, find: (key: string) => Promise<string | undefined>): Promise<Ticket | undefined> {
  const text = isSecretShaped(secret) ? await find(toKey(secret)) : undefined;
  if (text === undefined) return undefined;
  const ticket: Ticket = JSON.parse(text);
  return ticket;
}

function toKey(secret: string): string {
  return `link-ticket:${hashSecret(secret)}`;
}
