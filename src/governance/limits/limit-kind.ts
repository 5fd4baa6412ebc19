// The monthly limit of one agent, as a kind of change.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { ChangeKind } from '../changes/change-kind.ts';
import { hasSameValues, isSameKnownLimit, type KnownLimit } from '../inventory/agent-limit.ts';
import { describeAgent } from '../inventory/inventory-views.ts';
import { endLimitChange, lookUpLimit } from './known-limit.ts';
import { buildLimitConfirmation, LIMIT_CONFIRM_MODAL, LIMIT_TOPIC } from './limit-form-views.ts';
import type { LimitPlan, UnverifiedReason } from './limit-plan.ts';
import { buildLimitOutcome, describeLimitOf, listLimitRows } from './limit-words.ts';

export type LimitSession = Pick<AdminSession, 'readThresholds' | 'putThreshold'>;

export const LIMIT_KIND: ChangeKind<LimitPlan, KnownLimit, UnverifiedReason, LimitSession> = {
  topic: LIMIT_TOPIC,
  confirmModal: LIMIT_CONFIRM_MODAL,

  // By the id of the inventory: the other one is told in one look, and may not be in the next.
  toLockKey: ({ agent }) => `limit:${agent.environmentId}|${agent.name}`.toLowerCase(),
  toSubject({ agent, before, after }) {
    const { environmentId, agentResourceId } = agent;
    return { kind: 'agent_limit', environmentId, agentResourceId, before, after };
  },
  findLast: ({ agent }, changes) => changes.lastSet(agent.environmentId, agent.agentResourceId),
  async lookUp({ agent, before }, sources, exceptId) {
    return (await lookUpLimit(agent, sources, { exceptId, planned: before })).known;
  },
  isAsPlanned: ({ before }, found) => isSameKnownLimit(before, found),
  write: ({ change }, _found, session) => session.putThreshold(change),
  async readBack({ agent, before, after }, sources, exceptId) {
    const { known: found } = await lookUpLimit(agent, sources, { exceptId });
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

  name: ({ plan }) => describeAgent(plan.agent),
  toPlainName: ({ plan }) => plan.agent.displayName,
  describe: ({ plan }) => describeLimitOf(plan),
  listRows: listLimitRows,
  isListedWhole: () => true,
  buildConfirmation: ({ plan }, options) => buildLimitConfirmation(plan, options),
  buildOutcome: ({ plan }, outcome, options) => buildLimitOutcome(plan, outcome, options),
};
