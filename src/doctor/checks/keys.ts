import { listSignIns } from '../../identity/every-sign-in.ts';
import { createTokenVault, openTokens, readKeyId, type TokenVault } from '../../identity/token-vault.ts';
import { openInstallation } from '../../slack/installations/find-installation.ts';
import { type Check, count, type StoreReader, speak } from '../check.ts';

const { words, say } = speak({
  first: '✓ Key {id} encrypts new records, and decrypts {records}.',
  needed: '✓ Key {id} decrypts {records}, and is still needed.',
  unused: '✓ Key {id} decrypts no sign-in any more: remove it 30 days after another key became the first.',
  other:
    '✗ {records} sealed with key {id} cannot be decrypted: ENCRYPTION_KEYS has another key under that id. Put the right one back, after the first; otherwise {losses}.',
  missing:
    '✗ {records} sealed with key {id} cannot be decrypted: ENCRYPTION_KEYS has no such key. Put the right one back, after the first; otherwise {losses}.',
});

/** Whether the keys decrypt all records, and which keys are no longer needed. */
export const KEYS: Check = {
  name: 'What is encrypted',
  section: 'Encryption keys',
  words,
  async look({ config: { ENCRYPTION_KEYS: keys }, store }) {
    const { reader } = await store();
    if (!reader) return undefined;
    const vault = createTokenVault(keys);
    const opened = new Map(keys.map(({ id }) => [id, 0]));
    const lost = new Map<string, Lost>();
    for await (const { kind, keyId, open } of readSealed(reader)) {
      if (opens(open, vault)) {
        opened.set(keyId, (opened.get(keyId) ?? 0) + 1);
      } else {
        const { link, installation } = lost.get(keyId) ?? { link: 0, installation: 0 };
        lost.set(keyId, { link, installation, [kind]: kind === 'link' ? link + 1 : installation + 1 });
      }
    }
    return [
      ...[...opened].map(([id, number], index) => {
        const records = count(number, 'record');
        if (index === 0) return say('first', { id, records });
        return number > 0 ? say('needed', { id, records }) : say('unused', { id });
      }),
      ...[...lost].map(([id, { link, installation }]) => {
        const records = count(link + installation, 'record');
        const losses = describeLosses({ link, installation });
        return say(opened.has(id) ? 'other' : 'missing', { id, records, losses });
      }),
    ];
  },
};

/** How many records no key opens. */
type Lost = { link: number; installation: number };

/** `open` throws if no key opens it. The content is not used. */
type SealedRecord = { kind: keyof Lost; keyId: string; open(vault: TokenVault): unknown };

/** The records that need a key for long: people's sign-ins and the app's installations. */
async function* readSealed({ links, installations }: StoreReader): AsyncIterable<SealedRecord> {
  for await (const link of listSignIns(links)) {
    yield { kind: 'link', keyId: readKeyId(link.sealedTokens), open: (vault) => openTokens(vault, link) };
  }
  for (const workspace of await installations.list()) {
    const found = await installations.get(workspace);
    if (!found) continue;
    const keyId = readKeyId(found.sealedBotToken);
    yield { kind: 'installation', keyId, open: (vault) => openInstallation(vault, found) };
  }
}

function opens(open: SealedRecord['open'], vault: TokenVault): boolean {
  try {
    open(vault);
    return true;
  } catch {
    return false;
  }
}

/** Counts sign-ins, not people: a person may have one for questions and one for administration. */
function describeLosses({ link, installation }: Lost): string {
  const signIns = count(link, 'sign-in has to be made again', 'sign-ins have to be made again');
  const apps = count(
    installation,
    'workspace has to install the app again',
    'workspaces have to install the app again',
  );
  return [...(link > 0 ? [signIns] : []), ...(installation > 0 ? [apps] : [])].join(', and ');
}
