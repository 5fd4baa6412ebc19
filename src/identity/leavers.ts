import { randomUUID } from 'node:crypto';
import type { Person } from '../conversation/question.ts';
import { TransientError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { ClaimStore, LinkKey, LinkStore, Purpose } from './account-link.ts';

type LeaverPorts = {
  links: Pick<LinkStore, 'get' | 'list'>;
  once: ClaimStore;
  unlink(person: Person, purpose: Purpose): Promise<Purpose[]>;
  /** Ends this person's scheduled questions, and those that wait for a sign-in. */
  dropQuestions(person: Person, workspace: string): Promise<void>;
  /** Whether Slack says that this person is deactivated. Throws a TransientError if it cannot be asked. */
  hasLeft(workspace: string, user: string): Promise<boolean>;
  now(): number;
  log: Log;
};

const SWEEP_EVERY_MS = 60_000;

/** A small part of Slack's limit for users.info, which questions need too. */
const PEOPLE_PER_SWEEP = 5;

/** The shortest time between two rounds. In a round, everybody is checked once. */
const ROUND_MS = 24 * 3_600_000;

/** After a longer pause of all replicas, a new round begins. */
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
      // In an organisation they may have signed in through another workspace, where they still are.
      if (link?.workspace === workspace) removed += (await unlink(person, purpose)).length;
    }
    await dropQuestions(person, workspace);
    if (removed > 0) log.info({ workspace, links: removed }, 'somebody has left, sign-ins deleted');
  }

  async function look(progress: Progress, stopping: AbortSignal): Promise<void> {
    for (let looked = 0; looked < PEOPLE_PER_SWEEP && !stopping.aborted; looked++) {
      // Remove the person before asking Slack: if that always fails for them, they must not block the others.
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
     * Asks Slack about the next few people with a sign-in, because events can be lost. Call it every few seconds on all
     * replicas: one of them works, once a minute, and checks everybody at most once a day. Never throws.
     */
    async sweep(stopping: AbortSignal): Promise<void> {
      try {
        if (!(await isOurTurn())) return;
        const progress = await fill(await readProgress(ports), ports);
        // Even after an error, the next sweep goes on with the rest.
        await look(progress, stopping).catch(report);
        await ports.once.put(PROGRESS_KEY, JSON.stringify(progress), now() + PROGRESS_KEPT_MS);
      } catch (error) {
        report(error);
      }
    },
  };
}

/** True for one replica a minute. Each replica asks the store at most once a minute. */
function createTurns({ once, now }: Pick<LeaverPorts, 'once' | 'now'>): () => Promise<boolean> {
  const replica = randomUUID();
  let askedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const at = now();
    if (Math.abs(at - askedAt) < SWEEP_EVERY_MS) return false;
    askedAt = at;
    const claim = `${replica} ${at}`;
    const held = await once.claim(SWEEP_KEY, claim, at + SWEEP_EVERY_MS);
    // A claim from the future was made before the clock was set back, and does not end soon.
    return held === claim || Number(held.split(' ')[1]) > at + SWEEP_EVERY_MS;
  };
}

/** `queue`: the people to check next. `cursor`: the links after them; undefined: they are the last of this round. */
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

/** Each person once, even with two sign-ins. */
function toPeople(links: (LinkKey & { workspace: string })[]): Progress['queue'] {
  const people = new Map(
    links.map(({ team, user, workspace }) => [`${workspace}:${team}:${user}`, { team, user, workspace }]),
  );
  return [...people.values()];
}
