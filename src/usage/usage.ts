// The usage that administrators see of their workspace: only counts, no names.

/**
 * What is counted: how a question ended (`result:<code>`), how long an answer took (`seconds:<bucket>`), and so on.
 * Stored: never rename.
 */
export type UsageName =
  | 'questions'
  | 'channel'
  | 'direct'
  | 'web_off'
  | 'web_on'
  | `result:${string}`
  | `seconds:${number | 'more'}`
  | 'sign_in:prompted'
  | 'sign_in:started'
  | 'sign_in:finished'
  | 'feedback:good'
  | 'feedback:bad';

/**
 * New counts of one workspace on one day. `writer` and `number` identify an addition, so that a repetition counts once.
 * A writer numbers its additions, and sends one only after the previous ones are stored.
 */
export type UsageAddition = {
  writer: string;
  number: number;
  workspace: string;
  /** As toDay makes it. */
  day: number;
  counts: ReadonlyMap<UsageName, number>;
  /** Marks of the counted people: see createMarks. */
  people: ReadonlyMap<UsageName, ReadonlySet<string>>;
};

/** The sums over some days, and the number of people in each. */
export type Usage = {
  counts: Partial<Record<UsageName, number>>;
  people: Partial<Record<UsageName, number>>;
  /** The first of these days with a count. */
  firstDay: number | undefined;
};

/**
 * Port: daily counts of each workspace. For each person's mark it keeps only the last day with a count, so it never
 * shows what somebody did day by day.
 */
export type UsageStore = {
  /** Adds to the stored counts. A repetition counts only once. Throws StoreUnavailableError. */
  add(addition: UsageAddition): Promise<void>;
  /** The usage from that day on. */
  read(workspace: string, since: number): Promise<Usage>;
  /** Forgets the days before that one. Returns how many records. */
  forget(before: number): Promise<number>;
};

const DAY_MS = 24 * 3_600_000;

/** How many days are kept: see backend/store.ts. */
export const USAGE_DAYS = 92;

/** Days since 1970, in UTC. */
export function toDay(at: number): number {
  return Math.floor(at / DAY_MS);
}

/** Upper bounds, in seconds. */
export const SECONDS = [2, 4, 6, 8, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600] as const;

export function toSecondsName(ms: number): UsageName {
  return `seconds:${SECONDS.find((bound) => ms <= bound * 1000) ?? 'more'}`;
}
