import { createHmac, hkdfSync, randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Person, Question } from '../conversation/question.ts';
import type { Turn } from '../conversation/turn.ts';
import { toDay, toSecondsName, type UsageAddition, type UsageName, type UsageStore } from './usage.ts';

type Counting = {
  store: Pick<UsageStore, 'add'>;
  mark: MarkPerson;
  now(): number;
  /** Called with the error of a write that will be retried. */
  onFailed(error: unknown): void;
};

/** A process that is killed loses no more than this. */
const WRITE_EVERY_MS = 5_000;

/** The most days of workspaces in memory while the store cannot be written. More are dropped. */
const MAX_WAITING = 1_000;

/** Results of turns that are no questions to the service. */
const NOT_COUNTED = new Set(['shared', 'help', 'no_question', 'idle', 'schedule_held']);

type Counted = Person & { workspace: string };

type Waiting = { workspace: string; day: number; counts: Map<UsageName, number>; people: Map<UsageName, Set<string>> };

export type UsageCounter = ReturnType<typeof createUsageCounter>;

/** Counts usage. Never waits and never throws: keeps the counts in memory and writes them every few seconds. */
export function createUsageCounter({ store, mark, now, onFailed }: Counting) {
  const writer = randomUUID();
  let number = 0;
  let waiting = new Map<string, Waiting>();
  /** Additions as they were first sent: a repetition must be the same. */
  let leaving: UsageAddition[] = [];
  let writing = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function count(names: UsageName[], workspace: string, person: Person): void {
    const day = toDay(now());
    const key = `${workspace} ${day}`;
    if (!waiting.has(key) && waiting.size >= MAX_WAITING) return;
    const { counts, people } = getOr(waiting, key, () => ({ workspace, day, counts: new Map(), people: new Map() }));
    const who = mark(workspace, person);
    for (const name of names) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      if (hasPeople(name)) getOr(people, name, () => new Set<string>()).add(who);
    }
    if (isClosed) void write();
    else timer ??= setTimeout(write, WRITE_EVERY_MS).unref();
  }

  function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(writeNow);
    return writing;
  }

  async function writeNow(): Promise<void> {
    try {
      await writeLeaving();
      leaving = [...waiting.values()].map((one) => ({ ...one, writer, number: ++number }));
      waiting = new Map();
      await writeLeaving();
    } catch (error) {
      onFailed(error);
      if (!isClosed) timer ??= setTimeout(write, WRITE_EVERY_MS).unref();
    }
  }

  async function writeLeaving(): Promise<void> {
    for (let [first] = leaving; first !== undefined; [first] = leaving) {
      await store.add(first);
      leaving = leaving.filter((one) => one !== first);
    }
  }

  return {
    /** A turn is done; `ms`: since it was accepted. */
    turnEnded({ question, result = '', hasPrompted }: Turn, ms: number): void {
      // Nobody asked the app: the message was in a channel where it replies to everything, and it stayed silent.
      if (question.isUnaddressed && result === 'cancelled') return;
      if (NOT_COUNTED.has(result)) return;
      // The time of a question that waited for a sign-in says nothing about the service.
      const seconds = result === 'answer' && hasPrompted === undefined ? [toSecondsName(ms)] : [];
      count([...toNames(question), `result:${result}`, ...seconds], question.workspace, question.asker);
    },
    /** Somebody was asked to sign in for questions, pressed *Sign in*, or has signed in. */
    signIn: (step: 'prompted' | 'started' | 'finished', { workspace, ...person }: Counted) =>
      count([`sign_in:${step}`], workspace, person),
    /** Somebody rated an answer. */
    feedback: (verdict: 'good' | 'bad', { workspace, ...person }: Counted) =>
      count([`feedback:${verdict}`], workspace, person),
    /** Forgets a workspace's counts in memory. The stored ones are about to be deleted. */
    forget(workspace: string): void {
      for (const [key, one] of waiting) if (one.workspace === workspace) waiting.delete(key);
      leaving = leaving.filter((one) => one.workspace !== workspace);
    },
    /** Writes all counts. Later ones are written at once. Never throws. */
    async close(): Promise<void> {
      isClosed = true;
      await write();
    },
  };
}

function toNames({ audience, webSearch }: Question): UsageName[] {
  return ['questions', audience === 'person' ? 'direct' : 'channel', webSearch ? 'web_on' : 'web_off'];
}

/** Times to answer do not count people: `questions` has them all. */
function hasPeople(name: UsageName): boolean {
  return !name.startsWith('seconds:');
}

function getOr<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}

/** Makes the mark of a person in a workspace. Without the key, nobody can tell whose mark it is. */
export type MarkPerson = (workspace: string, person: { team: string; user: string }) => string;

/** Enough that two people of one workspace never get the same mark. */
const MARK_BYTES = 12;

/** Enough for everybody who asks within minutes. Making a mark costs as much as all other counting of a turn. */
const MAX_KEPT = 10_000;

/**
 * A plain hash would not hide people from readers of the store, because all Slack user ids can be tried. The key is
 * derived from the first of ENCRYPTION_KEYS. With another first key, people get new marks and are counted once more.
 */
export function createMarks(secret: Buffer): MarkPerson {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'usage marks', 32));
  const marks = new LRUCache<string, string>({
    maxSize: MAX_KEPT,
    sizeCalculation: () => 1,
    memoMethod: (person) =>
      createHmac('sha256', key).update(person).digest().subarray(0, MARK_BYTES).toString('base64url'),
  });
  return (workspace, { team, user }) => marks.memo(`${workspace}:${team}:${user}`);
}
