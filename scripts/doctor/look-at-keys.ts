import type { EncryptionKey } from '../../src/identity/encryption-keys.ts';
import { createTokenVault } from '../../src/identity/token-vault.ts';
import { count, error, type Finding, ok } from './finding.ts';
import type { SealedRecord } from './store-reader.ts';

/** Whether the keys open all that is sealed, and which of them nobody needs any more. */
export async function lookAtKeys(keys: EncryptionKey[], records: AsyncIterable<SealedRecord>): Promise<Finding[]> {
  const vault = createTokenVault(keys);
  const opened = new Map(keys.map(({ id }) => [id, 0]));
  const unopened = new Map<string, number>();
  for await (const { keyId, tryOpen } of records) {
    const tally = opens(() => tryOpen(vault)) ? opened : unopened;
    tally.set(keyId, (tally.get(keyId) ?? 0) + 1);
  }
  return [
    ...[...opened].map(([id, number], index) => toUse(id, number, index === 0)),
    ...[...unopened].map(([id, number]) => toFault(id, number, opened.has(id))),
  ];
}

function opens(open: () => void): boolean {
  try {
    open();
    return true;
  } catch {
    return false;
  }
}

function toUse(id: string, number: number, isFirst: boolean): Finding {
  if (isFirst) return ok(`Key ${id} seals what comes, and opens ${count(number, 'record')}.`);
  if (number > 0) return ok(`Key ${id} opens ${count(number, 'record')}, and is still needed.`);
  return ok(`Key ${id} opens nothing any more: it can be taken out of ENCRYPTION_KEYS.`);
}

function toFault(id: string, number: number, isKnown: boolean): Finding {
  const records = count(number, 'record');
  const remedy = 'Put the right one back, behind the first; else these people have to sign in again.';
  return error(
    isKnown
      ? `${records} sealed with key ${id} cannot be opened: ENCRYPTION_KEYS has another key under that id. ${remedy}`
      : `${records} sealed with key ${id} cannot be opened: ENCRYPTION_KEYS has no such key. ${remedy}`,
  );
}
