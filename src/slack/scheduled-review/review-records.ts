// What outlives a run of the scheduled review, beside the snapshot: when it last was settled, what is still to be said, and
// when something was said last.
import type { ReviewSnapshot } from '../../governance/review/review-snapshot.ts';
import type { OnceStore } from '../../identity/once-store.ts';
import type { Content } from '../views/content.ts';

/** To one person, about what is theirs. `claims`: the notices in it, which are free again where it cannot be sent. */
export type OwnerNotice = { channel: string; content: Content; claims: string[] };

/** What a run found, before any of it is said: whoever takes the run over says the same, and nothing twice. */
export type Outbox = {
  /** The time of the run, epoch ms. */
  due: number;
  /** Undefined once it is said. Without `post` nothing of it is worth a word in the channel. */
  report?: { post?: Content | undefined; isTruncated: boolean; snapshot: ReviewSnapshot } | undefined;
  notices: OwnerNotice[];
  /** For the log. */
  counts: Record<string, number | boolean>;
};

/** When something was said in the channel, and whether the inventory was not complete then. */
export type LastWord = { at: number; isTruncated: boolean };

export type ReviewRecords = {
  /** The time (epoch ms) up to which all runs are done with. Undefined: the first look of all. */
  settledAt(): Promise<number | undefined>;
  settle(at: number): Promise<void>;
  outbox(): Promise<Outbox | undefined>;
  keep(outbox: Outbox): Promise<void>;
  drop(): Promise<void>;
  lastWord(): Promise<LastWord | undefined>;
  saveLastWord(word: LastWord): Promise<void>;
};

const SETTLED = 'review:settled';
const OUTBOX = 'review:outbox';
const LAST_WORD = 'review:last-word';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Some reviews are held once a year. */
const KEPT_MS = 2 * 365 * DAY_MS;

export function createReviewRecords(once: OnceStore, now: () => number): ReviewRecords {
  const read = async <T>(key: string) => {
    const text = await once.peek(key);
    return text === undefined ? undefined : (JSON.parse(text) as T);
  };
  const write = (key: string, value: unknown) => once.put(key, JSON.stringify(value), now() + KEPT_MS);
  return {
    settledAt: () => read<number>(SETTLED),
    settle: (at) => write(SETTLED, at),
    outbox: () => read<Outbox>(OUTBOX),
    // What could not be said for a day is old news; the run itself may be made up for a day late.
    keep: (outbox) => once.put(OUTBOX, JSON.stringify(outbox), outbox.due + 2 * DAY_MS),
    async drop() {
      await once.take(OUTBOX);
    },
    lastWord: () => read<LastWord>(LAST_WORD),
    saveLastWord: (word) => write(LAST_WORD, word),
  };
}
