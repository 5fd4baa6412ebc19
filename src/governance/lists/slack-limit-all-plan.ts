// One limit for many agents: what would change for each, looked up now. Nothing is written.

import type { ItemKind } from '../bulk/item-words.ts';
import { NOT_SAID_WHETHER_STOPPED, type PlannedItem, planItems } from '../bulk/slack-plan-items.ts';
import {
  type GovernedAgent,
  isStoppedFromHere,
  type KnownLimit,
  readStopped,
  readValues,
  type StopDecision,
  type WantedLimit,
} from '../inventory/agent-limit.ts';
import { describeAgent } from '../inventory/inventory-views.ts';
import { type LimitSources, lookUpLimit } from '../limits/known-limit.ts';
import { planLimit } from '../limits/limit-plan.ts';

export type LimitForAll = {
  wanted: WantedLimit;
  /** Of agents of which the service does not tell whether they are stopped. Undefined: those are left out. */
  stopDecision: StopDecision | undefined;
  /** Undefined: the configured one. */
  currencyType: string | undefined;
};

const ALREADY_SO = 'this is their limit already.';

/** Throws as planItems does. */
export function planLimitForAll(agents: readonly GovernedAgent[], wish: LimitForAll, sources: LimitSources) {
  return planItems(agents, (agent) => plan(agent, wish, sources), describeAgent);
}

async function plan(
  found: GovernedAgent,
  { wanted, stopDecision, currencyType }: LimitForAll,
  sources: LimitSources,
): Promise<PlannedItem> {
  const { agent, known } = await lookUpLimit({ ...found, currencyType }, sources);
  // A stopped agent stays stopped.
  const isStopped = readStopped(known) === true || isStoppedFromHere(known);
  const decision = isStopped ? 'keep_stopped' : stopDecision;
  const result = planLimit({ agent, before: known, wanted, stopDecision: decision });
  if (result.kind !== 'planned') return { why: NOT_SAID_WHETHER_STOPPED };
  if (!result.plan.changes) return { why: ALREADY_SO };
  return { kind: toItemKind(known, wanted.limit), change: { kind: 'limit', plan: result.plan } };
}

function toItemKind(known: KnownLimit, limit: number): ItemKind {
  const old = readValues(known)?.limit;
  if (old === undefined) return known.source === 'none' ? 'first' : 'untold';
  if (old === limit) return 'as_high';
  return old < limit ? 'raised' : 'lowered';
}
