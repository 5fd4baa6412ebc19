import type { EncryptionKey } from '../identity/encryption-keys.ts';
import { createTokenVault } from '../identity/token-vault.ts';
import { count, error, type Finding, ok } from './finding.ts';
import type { SealedRecord } from './store-reader.ts';

/** What no key opens, by what it is. */
type Lost = Record<SealedRecord['kind'], number>;

/** Whether the keys open all that is sealed, and which of them nobody needs any more. */
export async function lookAtKeys(keys: EncryptionKey[], records: AsyncIterable<SealedRecord>): Promise<Finding[]> {
  const vault = createTokenVault(keys);
  const opened = new Map(keys.map(({ id }) => [id, 0]));
  const unopened = new Map<string, Lost>();
  for await (const { kind, keyId, tryOpen } of records) {
    if (opens(() => tryOpen(vault))) {
      opened.set(keyId, (opened.get(keyId) ?? 0) + 1);
    } else {
      const lost = unopened.get(keyId) ?? { link: 0, installation: 0 };
      unopened.set(keyId, { ...lost, [kind]: lost[kind] + 1 });
    }
  }
  return [
    ...[...opened].map(([id, number], index) => toUse(id, number, index === 0)),
    ...[...unopened].map(([id, lost]) => toFault(id, lost, opened.has(id))),
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
  return ok(`Key ${id} opens no sign-in any more: take it out of ENCRYPTION_KEYS 30 days after it was the first.`);
}

function toFault(id: string, lost: Lost, isKnown: boolean): Finding {
  const records = count(lost.link + lost.installation, 'record');
  const remedy = `Put the right one back, behind the first; else ${toLosses(lost).join(', and ')}.`;
  return error(
    isKnown
      ? `${records} sealed with key ${id} cannot be opened: ENCRYPTION_KEYS has another key under that id. ${remedy}`
      : `${records} sealed with key ${id} cannot be opened: ENCRYPTION_KEYS has no such key. ${remedy}`,
  );
}

/** A person signs in for questions and for administration apart, so these are sign-ins, not people. */
function toLosses({ link, installation }: Lost): string[] {
  return [
    ...(link > 0 ? [count(link, 'sign-in has to be made again', 'sign-ins have to be made again')] : []),
    ...(installation > 0
      ? [count(installation, 'workspace has to install the app again', 'workspaces have to install the app again')]
      : []),
  ];
}
