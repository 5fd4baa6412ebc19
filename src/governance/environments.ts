// Environments as admins look for them: by name or id.
import type { Environment } from '../admin-api/inventory-wire.ts';
import { hasWords, toComparable } from './inventory/inventory.ts';

/** `name`: as people call it; the id where it has none. */
export type NamedEnvironment = { environmentId: string; name: string; ownerId: string | undefined };

/** Sorted by name. */
export function nameEnvironments(environments: readonly Environment[]): NamedEnvironment[] {
  const { compare } = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
  return environments
    .map(({ name, displayName, ownerId }) => ({ environmentId: name, name: displayName ?? name, ownerId }))
    .sort((one, other) => compare(one.name, other.name) || compare(one.environmentId, other.environmentId));
}

/** By id, else by whole name, else by part of name or id, else by words in any order; without regard to case. An exact match hides others. */
export function matchEnvironments(environments: readonly NamedEnvironment[], text: string): NamedEnvironment[] {
  const wanted = toComparable(text);
  if (wanted === '') return [...environments];
  const tests = [
    ({ environmentId }: NamedEnvironment) => toComparable(environmentId) === wanted,
    ({ name }: NamedEnvironment) => toComparable(name) === wanted,
    (one: NamedEnvironment) => [one.name, one.environmentId].some((part) => toComparable(part).includes(wanted)),
    ({ name, environmentId }: NamedEnvironment) => hasWords(wanted, [name, environmentId]),
  ];
  for (const test of tests) {
    const matches = environments.filter(test);
    if (matches.length > 0) return matches;
  }
  return [];
}
