// The currencies that entries are in, by target: a policy may have thousands of entries, and a review asks for each agent.
import type { Policy } from './policy.ts';
import { readStandard } from './policy.ts';
import { isSameId, toTargetKey } from './target.ts';

type Index = Record<'limit' | 'credits', ReadonlyMap<string, readonly string[]>>;

/** The default currency, and those that the policy has a limit of this agent in. */
export function listLimitCurrencies(
  { entries }: Policy,
  { environmentId, agentId }: { environmentId: string; agentId: string },
  defaultCurrency: string,
): string[] {
  const own = toIndex(entries).limit.get(toTargetKey({ environmentId, agentId })) ?? [];
  return [defaultCurrency, ...own.filter((currency) => !isSameId(currency, defaultCurrency))];
}

/** The currencies that the policy says something about for the credits of this environment. */
export function listCreditCurrencies(policy: Policy, environmentId: string, now: number): string[] {
  const own = toIndex(policy.entries).credits.get(toTargetKey({ environmentId })) ?? [];
  const standard = Object.keys(readStandard(policy, environmentId, now)?.credits ?? {});
  return [...own, ...standard.filter((name) => !own.some((one) => isSameId(one, name)))];
}

const INDEXES = new WeakMap<Policy['entries'], Index>();

function toIndex(entries: Policy['entries']): Index {
  const index = INDEXES.get(entries) ?? { limit: collect(entries, 'limit'), credits: collect(entries, 'credits') };
  INDEXES.set(entries, index);
  return index;
}

function collect(entries: Policy['entries'], wanted: keyof Index): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { setting, target } of Object.values(entries)) {
    if (setting !== wanted || !('environmentId' in target) || target.currency === undefined) continue;
    const { currency, ...rest } = target;
    const key = toTargetKey(rest);
    found.set(key, [...(found.get(key) ?? []), currency]);
  }
  return found;
}
