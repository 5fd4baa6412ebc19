import type { Store } from '../../src/backend/store.ts';
import type { Question } from '../../src/conversation/question.ts';
import type { NewSchedule } from '../../src/conversation/schedules.ts';
import {
  createScheduledQuestions,
  type ScheduledQuestions,
  type SchedulePorts,
} from '../../src/delivery/scheduled-questions.ts';
import { createLog } from '../../src/log.ts';

export const ANA = { team: 'T1', user: 'UANA' };

/** Every weekday at eight, in Berlin. */
export function aSchedule(change: Partial<NewSchedule> = {}): NewSchedule {
  return {
    id: 'V1',
    person: ANA,
    workspace: 'T1',
    days: [1, 2, 3, 4, 5],
    time: '08:00',
    zone: 'Europe/Berlin',
    content: { text: 'What changed in my projects?', webSearch: true, links: [], unusable: [] },
    ...change,
  };
}

/** Scheduled questions on a store, with a person who is signed in and lives in Berlin. `accepted`: the turns. */
export function createScheduling(
  store: Pick<Store, 'schedules'>,
  now: () => number,
  change: Partial<SchedulePorts> = {},
): ScheduledQuestions & { accepted: Map<string, Question> } {
  const accepted = new Map<string, Question>();
  const ports: SchedulePorts = {
    schedules: store.schedules,
    async accept(id, question) {
      if (!accepted.has(id)) accepted.set(id, question);
    },
    isLinked: async () => true,
    timeZone: async () => 'Europe/Berlin',
    directMessage: async () => 'D1',
    wake: () => undefined,
    now,
    log: createLog('silent'),
    ...change,
  };
  return { ...createScheduledQuestions(ports), accepted };
}
