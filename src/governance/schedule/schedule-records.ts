// What outlives a run of the scheduled review: how far the runs have come, and the messages that are not sent yet.
import type { ClaimStore } from '../../identity/account-link.ts';
import type { Snapshot } from './news.ts';

/** As Slack takes it: see Content. */
export type Message = { text: string; blocks: object[] };

/** To one person, about what is theirs. */
export type OwnerNotice = {
  user: string;
  content: Message;
  /** The run that found it, epoch ms. */
  due: number;
  /** What it is about, for the channel if it cannot be sent. Untrusted. */
  names: string[];
  /** Claimed for it; released if it cannot be sent. */
  claims: string[];
  /** Epoch ms: since when sending fails. */
  failingSince?: number;
};

/** What a run found, stored before anything is sent: a replica that takes over sends the same, and nothing twice. */
export type Outbox = {
  /** The time of the run, epoch ms. */
  due: number;
  /** For the channel; undefined once it is sent. `claims`: of what no owner can be written to about. */
  report?: { post: Message; snapshot: Snapshot; claims: string[] } | undefined;
  /** Also those of earlier runs that could not be sent yet. */
  notices: OwnerNotice[];
};

/** How far the reviews have come. */
type ScheduleState = {
  /** The time (epoch ms) up to which all runs are done with. */
  settledAt: number;
  /** The last run whose outbox was kept, epoch ms. Claims since then are in no outbox, and belong to the next one. */
  keptAt: number;
  /** Of the current outage: the first and the last failure, epoch ms. */
  failing?: { since: number; last: number } | undefined;
  /** Why the last run failed, as it was said: see slack-problem.ts. Empty where it did not. */
  said: string[];
  /** What owners could not be written to about since the last post. Untrusted. */
  unsent: string[];
};

export type ScheduleRecords = {
  /** Undefined before the first look of all. */
  state(): Promise<ScheduleState | undefined>;
  saveState(state: ScheduleState): Promise<void>;
  /** Does nothing where there is no state yet. */
  changeState(change: (state: ScheduleState) => Partial<ScheduleState>): Promise<void>;
  outbox(): Promise<Outbox | undefined>;
  keep(outbox: Outbox): Promise<void>;
  drop(): Promise<void>;
  /** Of the last review that was posted. */
  snapshot(): Promise<Snapshot | undefined>;
  saveSnapshot(snapshot: Snapshot): Promise<void>;
};

const STATE = 'scheduled-review:state';
const OUTBOX = 'scheduled-review:outbox';
const SNAPSHOT = 'scheduled-review:snapshot';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Some reviews are held once a year. */
const KEPT_MS = 2 * 365 * DAY_MS;

/** Everything throws StoreUnavailableError. */
export function createScheduleRecords({
  once,
  now,
}: {
  once: Pick<ClaimStore, 'peek' | 'put' | 'take'>;
  now: () => number;
}): ScheduleRecords {
  const read = async <T>(key: string) => {
    const text = await once.peek(key);
    return text === undefined ? undefined : (JSON.parse(text) as T);
  };
  const write = (key: string, value: unknown) => once.put(key, JSON.stringify(value), now() + KEPT_MS);
  const state = () => read<ScheduleState>(STATE);
  return {
    state,
    saveState: (saved) => write(STATE, saved),
    async changeState(change) {
      const before = await state();
      if (before) await write(STATE, { ...before, ...change(before) });
    },
    outbox: () => read<Outbox>(OUTBOX),
    // Dropped once a day old; the run itself may be a day late.
    keep: (outbox) => once.put(OUTBOX, JSON.stringify(outbox), outbox.due + 2 * DAY_MS),
    drop: async () => void (await once.take(OUTBOX)),
    snapshot: () => read<Snapshot>(SNAPSHOT),
    saveSnapshot: (snapshot) => write(SNAPSHOT, snapshot),
  };
}
