// Stopping an agent, or letting it run again, as a kind of change: a limit's, with words of its own.
import type { ModalTopic } from '../../slack/views/modal.ts';
import { withinTime } from '../../time-limit.ts';
import { isNoLimit } from '../inventory/agent-limit.ts';
import { describeAgent } from '../inventory/inventory-views.ts';
import { optional } from '../shell/admin-failure.ts';
import { isTold } from './known-limit.ts';
import { LIMIT_KIND } from './limit-kind.ts';
import { describeOtherLimit, describeSource } from './limit-words.ts';

export const STOP_TOPIC: ModalTopic = {
  id: 'admin_stop',
  title: 'Stop or run an agent',
  loading: 'Looking up the agent, and whether it is stopped…',
};

const LOOK_MS = 3_000;

export const STOP_KIND: typeof LIMIT_KIND = {
  ...LIMIT_KIND,
  topic: STOP_TOPIC,
  confirmModal: 'admin_stop_confirm',
  /** In an emergency a look that fails, or takes long, keeps nobody from a stop; what is read in time still counts. */
  async lookUp(plan, sources, exceptId) {
    const looking = LIMIT_KIND.lookUp(plan, sources, exceptId);
    if (!plan.after.stopped) return looking;
    const found = await withinTime(LOOK_MS, optional(looking), () => 'gap' as const);
    return found === 'gap' ? plan.before : found;
  },
  isAsPlanned: (plan, found) => (!isTold(plan.before) && isTold(found)) || LIMIT_KIND.isAsPlanned(plan, found),
  toLabel: ({ after }) => (after.stopped ? 'Stop agent' : 'Let agent run'),
  toSubject: (plan) => ({ ...LIMIT_KIND.toSubject(plan), action: plan.after.stopped ? 'stop' : 'run_again' }),
  describe: ({ plan }) => `the state of ${describeAgent(plan.agent)}`,
  toWords({ plan }) {
    const name = describeAgent(plan.agent);
    const stopping = (plan.before.stoppedIn ?? []).map(describeOtherLimit);
    const rest =
      stopping.length === 0 ? '' : `, but ${stopping.join(' and ')} still ${stopping.length > 1 ? 'stop' : 'stops'} it`;
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
          done: rest === '' ? `${name} may run again` : `this limit no longer stops ${name}${rest}`,
          taken:
            rest === ''
              ? `the service took that ${name} runs again`
              : `the service took that this limit no longer stops ${name}${rest}`,
          perhaps: `${name} may or may not run again`,
          undone: `${name} does not run again by this: nothing was changed`,
        };
  },
  listNotes: ({ plan }, { timeZone }) => [
    describeSource(plan.before, timeZone),
    plan.after.stopped
      ? 'It stays stopped until somebody lets it run again: *Run again…* in `/assistant-admin limits`. Its owner is not told by the service.'
      : `${isNoLimit(plan.after) ? 'It has no limit then.' : 'Its limit counts again from now on.'} Its owner is not told by the service.`,
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
