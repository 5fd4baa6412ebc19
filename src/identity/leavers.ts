import { randomUUID } from 'node:crypto';
import type { Person } from '../conversation/question.ts';
import { TransientError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { ClaimStore, LinkKey, LinkStore, Purpose } from './account-link.ts';

type LeaverPorts = {
  links: Pick<LinkStore, 'get' | 'list'>;
  once: ClaimStore;
  unlink(person: Person, purpose: Purpose): Promise<Purpose[]>;
  /** Ends the questions of this person that wait for a sign-in, and the scheduled ones. */
  dropQuestions(person: Person, workspace: string): Promise<void>;
  /** Whether Slack says that this person is deactivated. Throws a TransientError if it cannot be asked. */
  hasLeft(workspace: string, user: string): Promise<boolean>;
  now(): number;
  log: Log;
};

const SWEEP_EVERY_MS = 60_000;

/** A small part of Slack's limit for users.info, which questions need too. */
const PEOPLE_PER_SWEEP = 5;

/** The least time from one round of the sweep to the next. */
const ROUND_MS = 24 * 3_600_000;

/** After a longer pause of all replicas the round begins again. */
const PROGRESS_KEPT_MS = 2 * ROUND_MS;

const SWEEP_KEY = 'leavers:sweep';
const PROGRESS_KEY = 'leavers:progress';

export type Leavers = ReturnType<typeof createLeavers>;

/** People whose Slack account was deactivated. */
export function createLeavers(ports: LeaverPorts) {
  const { links, unlink, dropQuestions, hasLeft, now, log } = ports;
  const isOurTurn = createTurns(ports);

  /** Deletes what a person has in this workspace: both sign-ins with their tokens, and the questions that wait. */
  async function remove(person: Person, workspace: string): Promise<void> {
    let removed = 0;
    for (const purpose of ['assistant', 'admin'] as const) {
      const link = await links.get({ ...person, purpose });
      // In an organisation they may have signed in through another of its workspaces, where they still are.
      if (link?.workspace === workspace) removed += (await unlink(person, purpose)).length;
    }
    await dropQuestions(person, workspace);
    if (removed > 0) log.info({ workspace, links: removed }, 'somebody has left, sign-ins deleted');
  }

  async function look(progress: Progress, stopping: AbortSignal): Promise<void> {
    for (let looked = 0; looked < PEOPLE_PER_SWEEP && !stopping.aborted; looked++) {
      // Before the question to Slack: a person about whom it fails must not be in the way for ever.
      const next = progress.queue.shift();
      if (!next) return;
      const { workspace, ...person } = next;
      if (await hasLeft(workspace, person.user)) await remove(person, workspace);
    }
  }

  function report(error: unknown): void {
    const isPassing = error instanceof TransientError;
    log[isPassing ? 'debug' : 'warn']({ err: error }, 'people with a sign-in not checked');
  }

  return {
    remove,
    /**
     * Asks Slack about the next few people with a sign-in, because events can be lost. To be called every few seconds by
     * every replica: one of them works, once a minute, and everybody's turn comes once a day at most. Never throws.
     */
    async sweep(stopping: AbortSignal): Promise<void> {
      try {
        if (!(await isOurTurn())) return;
        const progress = await fill(await readProgress(ports), ports);
        // Whatever happens, the rest is asked about the next time.
        await look(progress, stopping).catch(report);
        await ports.once.put(PROGRESS_KEY, JSON.stringify(progress), now() + PROGRESS_KEPT_MS);
      } catch (error) {
        report(error);
      }
    },
  };
}

/** One replica a minute. Before it asks the store, each replica waits for its own minute. */
function createTurns({ once, now }: Pick<LeaverPorts, 'once' | 'now'>): () => Promise<boolean> {
  const replica = randomUUID();
  let askedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const at = now();
    if (at - askedAt < SWEEP_EVERY_MS) return false;
    askedAt = at;
    const claim = `${replica} ${at}`;
    return (await once.claim(SWEEP_KEY, claim, at + SWEEP_EVERY_MS)) === claim;
  };
}

/** `queue`: whom to ask about next. `cursor`: of the links after them; undefined: they are the last of this round. */
type Progress = { startedAt: number; queue: (Person & { workspace: string })[]; cursor?: string | undefined };

async function readProgress({ once }: Pick<LeaverPorts, 'once'>): Promise<Progress | undefined> {
  const text = await once.peek(PROGRESS_KEY);
  return text === undefined ? undefined : JSON.parse(text);
}

async function fill(
  progress: Progress | undefined,
  { links, now }: Pick<LeaverPorts, 'links' | 'now'>,
): Promise<Progress> {
  if (progress && progress.queue.length > 0) return progress;
  const isRoundOver = progress?.cursor === undefined;
  if (progress && isRoundOver && now() - progress.startedAt < ROUND_MS) return progress;
  const { links: found, next } = await links.list(progress?.cursor);
  const startedAt = progress && !isRoundOver ? progress.startedAt : now();
  return { startedAt, queue: toPeople(found), cursor: next };
}

/** Each once, though most people with an admin sign-in have the other one as well. */
function toPeople(links: (LinkKey & { workspace: string })[]): Progress['queue'] {
  const people = new Map(
    links.map(({ team, user, workspace }) => [`${workspace}:${team}:${user}`, { team, user, workspace }]),
  );
  return [...people.values()];
}
