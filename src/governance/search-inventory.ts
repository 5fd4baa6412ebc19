// Finding one agent or environment of thousands while its name is typed.
import { createHash } from 'node:crypto';
import type { NamedEnvironment } from './environments.ts';
import { type InventoryRow, listTexts, toComparable } from './inventory/inventory.ts';

/** What may be picked. Names are as their makers gave them: untrusted. */
export type Candidate = {
  /** Short, and the same in every replica: what Slack takes as a value may not be longer than 150 characters. */
  key: string;
  /** What the commands find it by. */
  id: string;
  name: string;
  /** Of an agent: the name of its environment, or its id. */
  where: string | undefined;
  /** What is typed is looked for in this. */
  comparable: string;
};

/** `total`: how many fit; `found` are the best of them. */
export type SearchResult = { found: Candidate[]; total: number };

export function toAgentCandidates(rows: readonly InventoryRow[]): Candidate[] {
  return rows.map((row) => {
    const { name, displayName, environmentId, environmentName } = row;
    return {
      key: toKey(environmentId ?? '', name),
      id: name,
      name: displayName,
      where: environmentName ?? environmentId,
      comparable: toComparable(listTexts(row).join(' ')),
    };
  });
}

export function toEnvironmentCandidates(environments: readonly NamedEnvironment[]): Candidate[] {
  return environments.map(({ environmentId, name }) => ({
    key: toKey(environmentId),
    id: environmentId,
    name,
    where: undefined,
    comparable: toComparable(`${name} ${environmentId}`),
  }));
}

/** Every word that was typed has to occur. What begins with them comes first; else it stays in order. */
export function searchCandidates(candidates: readonly Candidate[], typed: string, max: number): SearchResult {
  const wanted = toComparable(typed);
  const words = wanted.split(' ').filter((word) => word !== '');
  const fitting = candidates.filter(({ comparable }) => words.every((word) => comparable.includes(word)));
  const [first, rest] = split(fitting, ({ comparable }) => comparable.startsWith(wanted));
  return { found: [...first.slice(0, max), ...rest.slice(0, Math.max(0, max - first.length))], total: fitting.length };
}

function split<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  const sides: [T[], T[]] = [[], []];
  for (const item of items) sides[test(item) ? 0 : 1].push(item);
  return sides;
}

function toKey(...ids: string[]): string {
  return createHash('sha256').update(JSON.stringify(ids)).digest('base64url').slice(0, 22);
}
