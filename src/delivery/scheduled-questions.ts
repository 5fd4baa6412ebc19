import { type Question, toPersonKey } from '../conversation/question.ts';
import {
  MOST_SCHEDULED,
  type ScheduledQuestion,
  type ScheduleStore,
  type Schedules,
  type Scheduling,
  toNextAt,
} from '../conversation/schedules.ts';
import { TransientError } from '../errors.ts';
import type { Log } from '../log.ts';
import { findLast, findNext, toLocalDate } from './local-times.ts';

/** The lane that asks scheduled questions. It contains no colon, so no turn can have it. Never rename: see RUN_LANE. */
export const SCHEDULE_LANE = 'schedules';

export type SchedulePorts = {
  schedules: ScheduleStore;
  /** Writes a question to the store, once per id. */
  accept(id: string, question: Question): Promise<unknown>;
  isLinked(person: Schedules['person']): Promise<boolean>;
  /** The person's IANA time zone. Undefined: unknown now. Never fails. */
  timeZone(workspace: string, user: string): Promise<string | undefined>;
  /** The direct message channel of the person and the app. */
  directMessage(workspace: string, user: string): Promise<string>;
  wake(lane: string): void;
  now(): number;
  log: Log;
};

export type ScheduledQuestions = Scheduling & {
  /** Asks the due questions. Resolves with when to look again (epoch ms), if at all. */
  run(isHeld: () => boolean): Promise<number | undefined>;
  stop(): void;
};

/** The pause after a failure of Slack or the store. */
const RETRY_MS = 30_000;

/**
 * Each time a question is due, it becomes a turn. The turn's id contains the schedule and the day, so it is asked once,
 * even after a crash or by two replicas. If several times were missed, only the last one becomes a turn, which says
 * that it is too late: see isTooLate of run-turn.ts.
 */
export function createScheduledQuestions(ports: SchedulePorts): ScheduledQuestions {
  const { schedules, now, log } = ports;
  let isStopping = false;

  /** Returns whether all of them are done. */
  async function askAll(due: Schedules[], isHeld: () => boolean): Promise<boolean> {
    let isDone = true;
    for (const one of due) {
      if (isStopping || !isHeld()) return false;
      try {
        await askFor(one, ports);
      } catch (error) {
        log.warn({ err: error }, 'scheduled question not asked');
        // A refusal, for example because the person has left, waits for the next scheduled time.
        if (error instanceof TransientError) isDone = false;
        else isDone = (await skip(one)) && isDone;
      }
    }
    return isDone;
  }

  /** Returns whether it was moved on. An error is only logged: one bad record must not delay the others. */
  async function skip(one: Schedules): Promise<boolean> {
    try {
      await goOn(one, { at: now(), heldSince: one.heldSince ?? now() }, ports);
      return true;
    } catch (error) {
      log.error({ err: error }, 'scheduled question not moved on');
      return false;
    }
  }

  /** Returns how many were removed. */
  async function keep(person: Schedules['person'], isKept: (question: ScheduledQuestion) => boolean): Promise<number> {
    let gone = 0;
    await schedules.change(person, (known) => {
      const questions = known?.questions.filter(isKept) ?? [];
      gone = (known?.questions.length ?? 0) - questions.length;
      return known && { ...known, questions };
    });
    return gone;
  }

  return {
    async run(isHeld) {
      for (;;) {
        const upcoming = await schedules.upcoming();
        const due = upcoming.filter((one) => toNextAt(one) <= now());
        if (isStopping || due.length === 0) return upcoming[0] && toNextAt(upcoming[0]);
        if (!(await askAll(due, isHeld))) return now() + RETRY_MS;
      }
    },
    stop() {
      isStopping = true;
    },
    list: async (person) => (await schedules.get(person))?.questions ?? [],
    async add({ person, workspace, ...asked }) {
      const question: ScheduledQuestion = { ...asked, nextAt: findNext(asked, asked.zone, now()) };
      const changed = await schedules.change(person, (known) => {
        const others = (known?.questions ?? []).filter(({ id }) => id !== question.id);
        if (others.length >= MOST_SCHEDULED) return undefined;
        return {
          ...known,
          ...{ schema: 1, person, workspace, heldSince: undefined },
          questions: [...others, question],
        };
      });
      if (!changed) return undefined;
      ports.wake(SCHEDULE_LANE);
      return question.nextAt;
    },
    end: async (person, ended) => void (await keep(person, ({ id }) => id !== ended)),
    endAll: (person) => keep(person, () => false),
    async move(person, zone) {
      const isElsewhere = (question: ScheduledQuestion) => question.zone !== zone;
      const moved = await schedules.change(person, (known) => {
        // Slack reports every change of a profile; the time zone rarely changes.
        if (!known?.questions.some(isElsewhere)) return undefined;
        // A question that is due keeps its time until it is asked.
        const isKept = (one: ScheduledQuestion) => !isElsewhere(one) || one.nextAt <= now();
        const move = (one: ScheduledQuestion) => ({ ...one, zone, nextAt: findNext(one, zone, now()) });
        return { ...known, questions: known.questions.map((one) => (isKept(one) ? one : move(one))) };
      });
      if (moved) ports.wake(SCHEDULE_LANE);
    },
  };
}

/** Asks one person's due questions. Without a sign-in they are held, and the first question says so. */
async function askFor(one: Schedules, ports: SchedulePorts): Promise<void> {
  const { person, workspace, questions, heldSince } = one;
  const at = ports.now();
  const [zone, isLinked, channel] = await Promise.all([
    ports.timeZone(workspace, person.user),
    ports.isLinked(person),
    ports.directMessage(workspace, person.user),
  ]);
  const due = questions.filter(({ nextAt }) => nextAt <= at);
  const asked = isLinked ? due : due.slice(0, heldSince === undefined ? 1 : 0);
  for (const question of asked) {
    const last = findLast(question, question.zone, { first: question.nextAt, now: at });
    // Use the day, not the time: travelling west must not ask a question twice on one day.
    const id = `schedule:${toPersonKey(person)}:${question.id}:${toLocalDate(last, question.zone)}`;
    await ports.accept(id, toQuestion(one, question, { channel, due: last }));
  }
  await goOn(one, { at, zone, heldSince: isLinked ? undefined : (heldSince ?? at) }, ports);
}

type Progress = { at: number; zone?: string | undefined; heldSince: number | undefined };

/** Moves questions that were due at `at` to their next time. Another replica may have done the same. */
async function goOn({ person }: Schedules, { at, zone, heldSince }: Progress, ports: SchedulePorts): Promise<void> {
  await ports.schedules.change(person, (known) => {
    const questions = known?.questions.map((one): ScheduledQuestion => {
      if (one.nextAt > at) return one;
      const next = zone ?? one.zone;
      return { ...one, zone: next, nextAt: findNext(one, next, at) };
    });
    return known && questions && { ...known, questions, heldSince };
  });
}

function toQuestion(
  { person, workspace }: Schedules,
  { content }: ScheduledQuestion,
  { channel, due }: { channel: string; due: number },
): Question {
  return {
    ...{ asker: person, workspace, channel, origin: 'command', audience: 'person', startsThread: true },
    ...content,
    scheduled: { due },
  };
}
