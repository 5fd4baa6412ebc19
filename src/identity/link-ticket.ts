import type { Person } from '../conversation/person.ts';
import type { Purpose } from './account-link.ts';
import type { OnceStore } from './once-store.ts';
import { createSecret, hashSecret, isSecretShaped } from './secret.ts';

/** Who asked in Slack to sign in, and for what. It says where a link came from, not who opens it. */
export type Ticket = { person: Person; workspace: string; purpose: Purpose };

export type TicketBook = {
  issue(ticket: Ticket): Promise<string>;
  peek(secret: string): Promise<Ticket | undefined>;
  take(secret: string): Promise<Ticket | undefined>;
};

const TICKET_LIFE_MS = 10 * 60_000;

/** Tickets live 10 min and are stored by their hash. */
export function createTicketBook(once: OnceStore, now: () => number): TicketBook {
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

async function read(secret: string, find: (key: string) => Promise<string | undefined>): Promise<Ticket | undefined> {
  const text = isSecretShaped(secret) ? await find(toKey(secret)) : undefined;
  if (text === undefined) return undefined;
  const ticket: Ticket = JSON.parse(text);
  return ticket;
}

function toKey(secret: string): string {
  return `link-ticket:${hashSecret(secret)}`;
}
