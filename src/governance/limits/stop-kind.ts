// Stopping an agent, or letting it run again, as a kind of change: a limit's, with words of its own.
import type { ModalTopic } from '../../slack/views/modal.ts';
import { describeAgent } from '../inventory/inventory-views.ts';
import { LIMIT_KIND } from './limit-kind.ts';
import { describeSource } from './limit-words.ts';

export const STOP_TOPIC: ModalTopic = {
  id: 'admin_stop',
  title: 'Stop or run an agent',
  loading: 'Looking up the agent, and whether it is stopped…',
};

export const STOP_KIND: typeof LIMIT_KIND = {
  ...LIMIT_KIND,
  topic: STOP_TOPIC,
  confirmModal: 'admin_stop_confirm',
  toSubject: (plan) => ({ ...LIMIT_KIND.toSubject(plan), action: plan.after.stopped ? 'stop' : 'run_again' }),
  describe: ({ plan }) => `the state of ${describeAgent(plan.agent)}`,
  toWords({ plan }) {
    const name = describeAgent(plan.agent);
    return plan.after.stopped
      ? {
          doing: `Stopping ${name}`,
          done: `${name} is stopped`,
          taken: `the service took the stop of ${name}`,
          perhaps: `${name} may or may not be stopped`,
          undone: `${name} was not stopped`,
        }
      : {
          doing: `Letting ${name} run again`,
          done: `${name} may run again`,
          taken: `the service took that ${name} runs again`,
          perhaps: `${name} may or may not run again`,
          undone: `${name} does not run again by this: nothing was changed`,
        };
  },
  listNotes: ({ plan }, { timeZone }) => [
    describeSource(plan.before, timeZone),
    plan.after.stopped
      ? 'It stays stopped until somebody lets it run again: *Run again…* in `/assistant-admin limits`. Its owner is not told by the service.'
      : 'Its limit counts again from now on. Its owner is not told by the service.',
  ],
  advice: {
    ...LIMIT_KIND.advice,
    notVerified: {
      ...LIMIT_KIND.advice.notVerified,
      not_offered:
        'It does not show whether agents are stopped, so this could not be checked. Try the agent, or look in the admin console. It is remembered here, with its date.',
      not_listed: 'It does not list the agent yet. Look with `/assistant-admin limits` in a few minutes.',
    },
  },
};
