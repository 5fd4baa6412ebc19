// Makes a proposal from edits or from the findings of a review: the plan, and what to show or ask.
import type { Edit } from '../../policy/edit.ts';
import { listCurrencies, type Policy } from '../../policy/policy.ts';
import { toTargetKey, uniqueIds } from '../../policy/target.ts';
import { approvesMore, findCredits, isSameCreditsState, isSameThreshold } from '../plan/compare.ts';
import {
  type CompareOptions,
  type Differences,
  findDifferences,
  type Restore,
  type Scope,
} from '../plan/find-differences.ts';
import { makePlan, toPlan } from '../plan/make-plan.ts';
import {
  allowsMore,
  type Item,
  type LeftOut,
  type Plan,
  type ThresholdItem,
  targetOf,
  toTypedNumber,
} from '../plan/plan.ts';
import { readSeen } from '../plan/read-seen.ts';
import { type CreditsState, listSentKeys, type Seen } from '../plan/seen.ts';
import { listWarnings, type ReadUsed } from '../plan/warnings.ts';
import type { GovernanceServices } from '../services.ts';
import type { By, Proposal, ProposeOptions } from './engine.ts';
import { createPacedSession } from './paced-session.ts';
import { readTouched } from './read-touched.ts';

export async function proposeEdits(
  edits: readonly Edit[],
  { caller, openSession }: By,
  { seen: given, unknownStop, used, restore }: ProposeOptions & Pick<CompareOptions, 'restore'>,
  services: GovernanceServices,
): Promise<Proposal> {
  const { policy } = await services.policy.read();
  const touched = given
    ? { seen: given, all: given.agents.length + given.environments.length, missing: [] }
    : await readTouched({ policy, edits, caller, openSession }, services);
  const options = { ...(await toOptions(policy, touched.seen, unknownStop, services)), restore };
  const made = makePlan(services.createId(), policy, edits, touched.seen, options);
  const plan = { ...made, leftOut: [...made.leftOut, ...touched.missing] };
  return toProposal(plan, policy, { all: await countAll(touched, services), used, services });
}

/** For *Undo*: the values before the items. */
export function toRestore(items: readonly Item[]): Restore {
  const before = new Map(items.map((item) => [toItemKey(item), toBefore(item)]));
  return (target) => before.get(toTargetKey(target));
}

/** Of credits, only the currencies that were written. */
function toBefore(item: Item): ThresholdItem['before'] | CreditsState {
  if (item.resource === 'threshold') return item.before;
  const { before, after } = item;
  return Object.fromEntries(Object.entries(before).filter(([currency]) => findCredits(after, currency)));
}

/** The larger of two counts, because what was just read may be only a part of the inventory. */
async function countAll({ all }: { all: number }, { known }: GovernanceServices): Promise<number> {
  const found = await known.read();
  return Math.max(all, (found?.rows.length ?? 0) + (found?.environments.length ?? 0));
}

export async function proposeItems(items: readonly Item[], by: By, services: GovernanceServices): Promise<Proposal> {
  const { policy } = await services.policy.read();
  const session = createPacedSession(await by.openSession(), services.stopping, services);
  const thresholds = items.filter((item) => item.resource === 'threshold');
  const credits = items.filter((item) => item.resource === 'credits');
  const seen = await readSeen(
    session,
    {
      environments: credits.map(({ environmentId, environmentName: name }) => ({
        ...{ environmentId, name, ownerId: undefined },
      })),
      agents: [...new Map(thresholds.map(({ agent }) => [toTargetKey(agent), agent])).values()],
      // The default one says whether an agent is stopped.
      currencies: uniqueIds(thresholds.flatMap(({ currency }) => [currency, services.currency])),
    },
    services,
  );
  const options = await toOptions(policy, seen, undefined, services);
  const found = findDifferences(policy, seen, toItemScope(items), options);
  const chosen = takeUnchanged(items, found);
  const plan = toPlan(services.createId(), policy, { edits: [], ...chosen });
  return toProposal(plan, policy, { all: await countAll({ all: 0 }, services), services });
}

async function toOptions(
  policy: Policy,
  seen: Seen,
  unknownStop: 'runs' | undefined,
  { currency: defaultCurrency, now, sent }: GovernanceServices,
): Promise<CompareOptions> {
  const readSent = await sent.readFor(listSentKeys(seen.agents, listCurrencies(policy, defaultCurrency)));
  return { defaultCurrency, readSent, trustSentMs: undefined, now: now(), unknownStop };
}

function toProposal(
  plan: Plan,
  policy: Policy,
  { all, used = () => undefined, services }: { all: number; used?: ReadUsed | undefined; services: GovernanceServices },
): Proposal {
  const { needsApproval, currency: defaultCurrency, now } = services;
  const warnings = listWarnings(plan.items, used);
  const isMore = allowsMore(plan) || approvesMore(policy, plan.edits, { defaultCurrency, now: now() });
  return {
    plan,
    warnings: warnings.map(({ text }) => text),
    isGrave: warnings.some(({ isGrave }) => isGrave),
    typed: toTypedNumber(plan, all),
    needsApprover: needsApproval && isMore,
  };
}

function toItemKey(item: Item): string {
  return toTargetKey(targetOf(item));
}

function toItemScope(items: readonly Item[]): Scope {
  const keys = new Set(items.map(toItemKey));
  return {
    agent: (agent, currency) =>
      keys.has(toTargetKey({ ...agent, currency })) ? { limit: true, stop: true } : undefined,
    credits: (environmentId) => keys.has(toTargetKey({ environmentId })),
  };
}

/** Keeps the items that have not changed since the review. The others are left out, with the reason. */
function takeUnchanged(items: readonly Item[], found: Differences): { items: Item[]; leftOut: LeftOut[] } {
  const now = new Map(found.items.map((item) => [toItemKey(item), item]));
  const chosen: Item[] = [];
  const leftOut: LeftOut[] = [...found.leftOut];
  for (const item of items) {
    const present = now.get(toItemKey(item));
    if (present && isUnchanged(item, present)) chosen.push(present);
    else if (!leftOut.some((one) => isAbout(one, item))) leftOut.push(toLeftOut(item));
  }
  return { items: chosen, leftOut };
}

function isUnchanged(item: Item, present: Item): boolean {
  if (item.resource === 'credits') {
    return present.resource === 'credits' && isSameCreditsState(item.before, present.before);
  }
  if (present.resource === 'credits') return false;
  if (item.before === 'unknown' || present.before === 'unknown') return true;
  return isSameThreshold(item.before, present.before);
}

function toLeftOut(item: Item): LeftOut {
  if (item.resource === 'credits') return { environmentId: item.environmentId, reason: 'changed' };
  const { agent, currency } = item;
  return { environmentId: agent.environmentId, agent, currency, reason: 'changed' };
}

function isAbout({ environmentId, agent }: LeftOut, item: Item): boolean {
  if (item.resource === 'credits') return agent === undefined && environmentId === item.environmentId;
  return agent?.agentId === item.agent.agentId && environmentId === item.agent.environmentId;
}
