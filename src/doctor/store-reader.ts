import type { TurnCounts } from '../conversation/stores.ts';
import type { Turn } from '../conversation/turn.ts';
import type { AuditReader } from '../governance/audit/audit-log.ts';
import type { ChangeStore } from '../governance/changes/change.ts';
import type { OverlayStore } from '../governance/register/overlay.ts';
import type { ExpiringStore, LinkStore } from '../identity/account-link.ts';
import { listSignIns } from '../identity/every-sign-in.ts';
import { openTokens, readKeyId, type TokenVault } from '../identity/token-vault.ts';
import type { InstallationStore } from '../slack/installation.ts';
import { openInstallation } from '../slack/installations/find-installation.ts';
import type { Finding } from './finding.ts';

/** A look into a store beside the app that uses it. Nothing is ever written. */
export type StoreReader = {
  /** What is to be said about the store itself. */
  findings: Finding[];
  counts(): Promise<TurnCounts>;
  /** The id of the turn that `oldestAcceptedAt` of the counts is of; it may have ended since. */
  oldestTurn(): Promise<string | undefined>;
  deadLetters(limit: number): Promise<Turn[]>;
  installations: Pick<InstallationStore, 'get' | 'list'>;
  audit: AuditReader;
  links: Pick<LinkStore, 'get' | 'list'>;
  overlay: Pick<OverlayStore, 'list'>;
  changes: Pick<ChangeStore, 'lastSet'>;
  once: Pick<ExpiringStore, 'peek'>;
  close(): Promise<void>;
};

/** Something that an encryption key is needed for: a person's sign-in, or the app in a workspace. */
export type SealedRecord = {
  kind: 'link' | 'installation';
  keyId: string;
  /** Throws where the key does not open it. What is in it stays in there. */
  tryOpen(vault: TokenVault): void;
};

/** Whatever the store has of these. */
export async function* readSealed({
  links,
  installations,
}: Pick<StoreReader, 'links' | 'installations'>): AsyncIterable<SealedRecord> {
  for await (const link of listSignIns(links)) {
    const { sealedTokens } = link;
    yield { kind: 'link', keyId: readKeyId(sealedTokens), tryOpen: (vault) => void openTokens(vault, link) };
  }
  for (const workspace of await installations.list()) {
    const found = await installations.get(workspace);
    if (!found) continue;
    const keyId = readKeyId(found.sealedBotToken);
    yield { kind: 'installation', keyId, tryOpen: (vault) => void openInstallation(vault, found) };
  }
}
