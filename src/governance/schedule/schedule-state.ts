// When the scheduled review is due, and its state. The state is one record, so that its parts always agree.
import { Cron } from 'croner';
import type { ClaimStore } from '../../identity/account-link.ts';
import type { SaidLevels } from './consumption-levels.ts';
import { type Attempt, LaneLostError } from './lane-job.ts';
import type { Snapshot } from './news.ts';

export type ReviewSchedule = {
  /**
   * The time (epoch ms) of the last run due since `settledAt`. Earlier missed runs are skipped, and so is one that is more
   * than a day old.
   */
  findDue(settledAt: number, now: number): number | undefined;
  /** Undefined: the pattern has no further run. */
  findNext(now: number): number | undefined;
};

const DAY_MS = 24 * 60 * 60 * 1000;

/** `pattern`: REVIEW_CRON, which was checked. `timeZone`: IANA; clock changes neither skip nor repeat a run. */
export function createReviewSchedule(pattern: string, timeZone: string): ReviewSchedule {
  const cron = new Cron(pattern, { mode: '5-or-6-parts', timezone: timeZone });
  return {
    findDue(settledAt, now) {
      // previousRuns() excludes the time itself: a look in that very millisecond would miss the run.
      const [last] = cron.previousRuns(1, new Date(now + 1));
      const at = last?.getTime();
      // Settled further ahead than this, the clock was set back since.
      const isSettled = at !== undefined && at <= settledAt && settledAt <= now + DAY_MS;
      // After a day, the next run is about to come, or nobody waits for this one any more.
      return at === undefined || isSettled || now - at > DAY_MS ? undefined : at;
    },
    findNext: (now) => cron.nextRun(new Date(now))?.getTime(),
  };
}

/** As Slack takes it: see Content. */
export type Message = { text: string; blocks: object[] };

/** A message to one owner. */
export type OwnerNotice = {
  user: string;
  content: Message;
  /** The run that found it, epoch ms. */
  due: number;
  /** What it is about, for the channel if it cannot be sent. Untrusted. */
  names: string[];
  /** Epoch ms: since when sending fails. */
  failingSince?: number;
};

/** What a run found, stored before anything is sent: a replica that takes over sends the same, and nothing twice. */
export type Outbox = {
  /** The time of the run, epoch ms. */
  due: number;
  /** For the channel; undefined once it is sent. `snapshot` and `levels` become part of the state then. */
  report?: { post: Message; snapshot: Snapshot; levels: SaidLevels } | undefined;
  /** Also those of earlier runs that could not be sent yet. */
  notices: OwnerNotice[];
};

export type ScheduleState = {
  /** The time (epoch ms) up to which all runs are done with. */
  settledAt: number;
  /** Of the current outage: the first and the last failure, epoch ms. */
  failing?: { since: number; last: number } | undefined;
  /** The problems of the last run that people were told: see slack-problem.ts. */
  said: string[];
  /** Names whose owners could not be reached since the last post. Untrusted. */
  unsent: string[];
  outbox?: Outbox | undefined;
  /** Of the last review that was posted. */
  snapshot?: Snapshot | undefined;
  /** The levels that owners were told this month. */
  levels?: SaidLevels | undefined;
};

/** The state of the review. `change` throws LaneLostError once another replica has the lane. */
export type Progress = { readonly state: ScheduleState; change(changes: Partial<ScheduleState>): Promise<void> };

const STATE = 'scheduled-review';

/** Some reviews are held once a year. */
const KEPT_MS = 2 * 365 * DAY_MS;

type StateServices = { once: Pick<ClaimStore, 'peek' | 'put'>; now(): number };

/** Undefined: it was never stored. Throws StoreUnavailableError. */
export async function readScheduleState({ once, now }: StateServices): Promise<ScheduleState | undefined> {
  const text = await once.peek(STATE);
  if (text === undefined) return undefined;
  const { outbox, ...state }: ScheduleState = JSON.parse(text);
  // Nobody wants to read the news of the day before yesterday; the run itself may be a day late.
  return outbox === undefined || now() >= outbox.due + 2 * DAY_MS ? state : { ...state, outbox };
}

/** Reads the state, or creates it. `isFirst`: it was created now. Everything throws StoreUnavailableError. */
export async function openProgress(
  services: StateServices,
  { isHeld }: Pick<Attempt, 'isHeld'>,
): Promise<Progress & { isFirst: boolean }> {
  const { once, now } = services;
  const found = await readScheduleState(services);
  let state = found ?? { settledAt: now(), said: [], unsent: [] };
  const save = () => {
    // A replica that was frozen would overwrite newer records.
    if (!isHeld()) throw new LaneLostError();
    return once.put(STATE, JSON.stringify(state), now() + KEPT_MS);
  };
  if (found === undefined) await save();
  return {
    isFirst: found === undefined,
    get state() {
      return state;
    },
    async change(changes) {
      state = { ...state, ...changes };
      await save();
    },
  };
}
