// Scheduled questions: the app asks them for a person at set times, in the person's direct messages with the app.
import { amend, type Kernel, read } from '../storage/kernel.ts';
import { type Person, toPersonKey } from './question.ts';
import type { QuestionContent } from './stores.ts';

/** `days`: ISO weekdays, 1 is Monday. `time`: of the person's clock, such as `08:00`. */
export type ScheduleTimes = { days: readonly number[]; time: string };

export type ScheduledQuestion = ScheduleTimes & {
  id: string;
  /** Its text is empty if no encryption key can decrypt it. */
  content: QuestionContent;
  /** The encrypted content, as stored. */
  sealed?: string | undefined;
  /** When it is asked next (epoch ms), calculated in `zone` (IANA). */
  nextAt: number;
  zone: string;
};

/** All scheduled questions of one person, in one record. */
export type Schedules = {
  schema: 1;
  person: Person;
  /** The installing team, for purging. */
  workspace: string;
  questions: readonly ScheduledQuestion[];
  /** Since when (epoch ms) nothing is asked, because the person is not signed in. They have been notified. */
  heldSince?: number | undefined;
};

/** The most per person, because the questions of all people add up. */
export const MOST_SCHEDULED = 5;

/** After this time without a sign-in we assume that the person does not come back. */
const HELD_FOR_MS = 90 * 24 * 3_600_000;

/** Port: scheduled questions. Throws StoreUnavailableError. */
export type ScheduleStore = {
  get(person: Person): Promise<Schedules | undefined>;
  /** The records whose next question comes first, at most 200. */
  upcoming(): Promise<Schedules[]>;
  /**
   * Writes the record that `decide` returns; a record without questions is deleted. If somebody else wrote first,
   * `decide` is called again. If it returns undefined, nothing changes, and this resolves with undefined.
   */
  change(
    person: Person,
    decide: (known: Schedules | undefined) => Schedules | undefined,
  ): Promise<Schedules | undefined>;
};

/** When the first of a person's questions comes (epoch ms). */
export function toNextAt({ questions }: Pick<Schedules, 'questions'>): number {
  return Math.min(...questions.map(({ nextAt }) => nextAt));
}

const UPCOMING = 'schedules';

export function createSchedules(kernel: Kernel): ScheduleStore {
  return {
    get: async (person) => (await read<Schedules>(kernel, toKey(person)))?.body,
    upcoming: async () => (await kernel.range(UPCOMING)).map(({ body }) => body as Schedules),
    async change(person, decide) {
      let changed: Schedules | undefined;
      await amend<Schedules>(kernel, [toKey(person)], ([found]) => {
        changed = decide(found?.body);
        if (!changed) return undefined;
        if (changed.questions.length === 0) return found && [{ drop: found.key }];
        const { workspace, heldSince } = changed;
        const entries = [{ index: UPCOMING, at: toNextAt(changed) }, { index: `workspace:${workspace}` }];
        return [
          {
            ...{ put: toKey(person), body: changed, entries },
            ...(heldSince !== undefined && { expiresAt: heldSince + HELD_FOR_MS }),
          },
        ];
      });
      return changed;
    },
  };
}

function toKey(person: Person): string {
  return `scheduled:${toPersonKey(person)}`;
}

/** What people do with their scheduled questions. Throws StoreUnavailableError. */
export type Scheduling = {
  list(person: Person): Promise<readonly ScheduledQuestion[]>;
  /** The same id is added only once. Resolves with its first time (epoch ms). Undefined: the person has the maximum. */
  add(asked: NewSchedule): Promise<number | undefined>;
  end(person: Person, id: string): Promise<void>;
  /** All of them. Resolves with how many there were. */
  endAll(person: Person): Promise<number>;
  /** From now on they are asked by the clock of this zone (IANA). */
  move(person: Person, zone: string): Promise<void>;
};

export type NewSchedule = Pick<ScheduledQuestion, 'id' | 'days' | 'time' | 'content' | 'zone'> &
  Pick<Schedules, 'person' | 'workspace'>;
