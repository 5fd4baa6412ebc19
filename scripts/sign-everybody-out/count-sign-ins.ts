import { count } from '../../src/doctor/finding.ts';
import type { LinkStore } from '../../src/identity/account-link.ts';
import { listSignIns } from '../../src/identity/every-sign-in.ts';
import { readKeyId } from '../../src/identity/token-vault.ts';

/** `byKey`: by the id of the key that seals their tokens. */
export type SignInCounts = { all: number; byKey: Map<string, number> };

export async function countSignIns(links: Pick<LinkStore, 'list'>): Promise<SignInCounts> {
  const counts: SignInCounts = { all: 0, byKey: new Map() };
  for await (const { sealedTokens } of listSignIns(links)) {
    const key = readKeyId(sealedTokens);
    counts.all += 1;
    counts.byKey.set(key, (counts.byKey.get(key) ?? 0) + 1);
  }
  return counts;
}

/** A person signs in for questions and for administration apart, so these are sign-ins, not people. */
export function describeSignIns({ all, byKey }: SignInCounts, key: string | undefined): string {
  const keys = [...byKey].sort().map(([id, number]) => `${number} sealed with key ${id}`);
  const total = all === 0 ? 'There is no sign-in.' : `${count(all, 'sign-in')}: ${keys.join(', ')}.`;
  return key === undefined || byKey.has(key) ? total : `${total} None is sealed with key ${key}.`;
}
