// The monthly limit of one agent, as a kind of change.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { ChangeKind } from '../changes/change-kind.ts';
import { describeRow } from '../changes/change-views.ts';
import {
  hasSameValues,
  isSameKnownLimit,
  isStoppedElsewhere,
  type KnownLimit,
  readOwnStop,
} from '../inventory/agent-limit.ts';
import { describeAgent } from '../inventory/inventory-views.ts';
import { endLimitChange, isTold, lookUpLimit, toLimitKey } from './known-limit.ts';
import { LIMIT_TOPIC } from './limit-form-views.ts';
import type { LimitPlan, UnverifiedReason } from './limit-plan.ts';
import { describeKnownLimit, describeSource } from './limit-words.ts';

export type LimitSession = Pick<AdminSession, 'readThresholds' | 'putThreshold'>;

export const LIMIT_KIND: ChangeKind<LimitPlan, KnownLimit, UnverifiedReason, LimitSession> = {
  topic: LIMIT_TOPIC,
  confirmModal: 'admin_limit_confirm',

  toLockKey: ({ agent }) => toLimitKey(agent),
  toSubject({ agent, before, after }) {
    const { environmentId, agentResourceId, name: agentName, currencyType } = agent;
    return { kind: 'agent_limit', environmentId, agentResourceId, agentName, currencyType, before, after };
  },
  findLast: ({ agent: { environmentId, agentResourceId, currencyType } }, changes) =>
    changes.lastSet(environmentId, agentResourceId, undefined, currencyType),
  async lookUp({ agent, before }, sources, exceptId) {
    return (await lookUpLimit(agent, sources, { exceptId, planned: before })).known;
  },
  isAsPlanned({ before, after }, found) {
    // What was unknown is replaced whatever it is, but for a stop that shows only now.
    if (!isTold(before) && isTold(found)) return after.stopped || readOwnStop(found) !== true;
    return isSameKnownLimit(before, found) && isStoppedElsewhere(before) === isStoppedElsewhere(found);
  },
  write: ({ change }, _found, session) => session.putThreshold(change),
  async readBack({ agent, before, after }, sources, exceptId) {
    // Where the service showed the limit before, not being able to read it now is no value.
    const { known: found } = await lookUpLimit(agent, sources, { exceptId, planned: before });
    if (found.source === 'none') return { kind: 'applied_not_verified', reason: 'not_listed' };
    if (found.source !== 'deployment') return { kind: 'applied_not_verified', reason: 'not_offered' };
    if (hasSameValues(found.limit, after)) return { kind: 'verified' };
    if (found.limit.stopped === 'unknown' && hasSameValues({ ...found.limit, stopped: after.stopped }, after)) {
      return { kind: 'applied_not_verified', reason: 'stop_not_told' };
    }
    if (isSameKnownLimit(found, before)) return { kind: 'applied_not_verified', reason: 'still_old' };
    const expected: KnownLimit = { source: 'deployment', limit: after, readAt: sources.now() };
    return { kind: 'conflict', stage: 'after_write', expected, found };
  },
  endBrokenOff: endLimitChange,

  toLabel: () => 'Set limit',
  name: ({ plan }) => describeAgent(plan.agent),
  toPlainName: ({ plan }) => plan.agent.displayName,
  describe: ({ plan }) => `the limit of ${describeAgent(plan.agent)}`,
  // One section.
  listRows: ({ rows }) => [rows.map(describeRow).join('\n')],
  isListedWhole: () => true,
  listNotes: ({ plan }, { timeZone }) => [
    describeSource(plan.before, timeZone),
    'The limit is for this agent alone: it caps neither its users nor the whole of its environment.',
  ],
  describeConflict: ({ expected, found }, { timeZone }) =>
    `Expected: ${describeKnownLimit(expected, timeZone)}\nFound: ${describeKnownLimit(found, timeZone)}`,
  advice: {
    look: '`/assistant-admin limits`',
    openAgain: 'Open the agent again with `/assistant-admin limit`',
    check: 'Check the agent in the admin console, or with `/assistant-admin limits`',
    notVerified: {
      not_offered:
        'It does not show the limits of agents, so this could not be checked. It is remembered here, with its date.',
      not_listed: 'It does not list the new limit yet. Look with `/assistant-admin limits` in a few minutes.',
      stop_not_told: 'It shows the new values, but not whether the agent is stopped. Check that in the admin console.',
    },
  },
};
