// Commands that need a sign-in first: they are kept in the store, and carried out after it.
import { type Person, toPersonKey } from '../../conversation/question.ts';
import type { ExpiringStore } from '../../identity/account-link.ts';
import type { WithLock } from '../../with-lock.ts';

/** A command, or a button that continues one. `body`: the payload from Slack. `place`: the conversation it came from. */
export type GivenCommand = { body: object; user: string; text: string; place: string };

export type WaitingCommands = {
  /** Keeps the latest few of a person, the same text once. Throws StoreUnavailableError and LockBusyError. */
  keep(person: Person, command: GivenCommand): Promise<void>;
  /** Removes and returns them, in the order in which they were given. Throws StoreUnavailableError and LockBusyError. */
  take(person: Person): Promise<GivenCommand[]>;
};

export const WAITS_MINUTES = 10;

const MOST = 5;

export function createWaitingCommands({
  once,
  exclusively,
  now,
}: {
  once: Pick<ExpiringStore, 'put' | 'take' | 'peek'>;
  exclusively: WithLock;
  now(): number;
}): WaitingCommands {
  type Kept = GivenCommand & { until: number };

  async function read(text: Promise<string | undefined>): Promise<Kept[]> {
    const kept: Kept[] = JSON.parse((await text) ?? '[]');
    return kept.filter(({ until }) => until > now());
  }

  return {
    keep: (person, command) =>
      exclusively(toKey(person), async () => {
        const others = (await read(once.peek(toKey(person)))).filter(
          ({ text }) => toWords(text) !== toWords(command.text),
        );
        const until = now() + WAITS_MINUTES * 60_000;
        const kept = [...others, { ...command, body: toKept(command.body), until }].slice(-MOST);
        await once.put(toKey(person), JSON.stringify(kept), until);
      }),
    // Under the lock, because a `keep` at the same time would put back what is taken.
    take: (person) => exclusively(toKey(person), () => read(once.take(toKey(person)))),
  };
}

/** Keeps what names the installation and the place of the answer. The trigger of a modal would have expired. */
function toKept(body: object): object {
  const { team_id, enterprise_id, user_id, command, response_url } = body as { [name: string]: unknown };
  return { team_id, enterprise_id, user_id, command, response_url };
}

function toWords(text: string): string {
  return text.trim().split(/\s+/).join(' ');
}

function toKey(person: Person): string {
  return `admin-commands:${toPersonKey(person)}`;
}
