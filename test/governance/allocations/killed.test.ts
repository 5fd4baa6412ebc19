import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Operation } from '@assistant-bridge/sandbox/admin/operations.ts';
import { SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import { type AdminSandbox, startAdmin } from '@assistant-bridge/sandbox/admin/start-admin.ts';
import { startChild } from '@assistant-bridge/sandbox/child-processes.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAdminClient } from '../../../src/admin-api/admin-client.ts';
import { openSqliteStore } from '../../../src/backend/sqlite-store.ts';
import type { Store } from '../../../src/backend/store.ts';
import { lookUpAllocation } from '../../../src/governance/allocations/known-allocation.ts';
import { createAuditedChanges } from '../../../src/governance/audit/audited-changes.ts';
import { listAudit } from '../../../src/governance/audit/search-audit.ts';
import { verifyChain } from '../../../src/governance/audit/verify-chain.ts';
import { createExclusively } from '../../../src/governance/shell/concurrency.ts';
import { createHttpClient, type HttpClient } from '../../../src/http/http-client.ts';
import { aSession } from '../../admin-api/a-session.ts';
import { CURRENCY } from './samples.ts';

const APPLIER = fileURLToPath(new URL('./apply-in-process.ts', import.meta.url));
const [PRODUCTION = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

let folder: string;
let sandbox: AdminSandbox;
let http: HttpClient;
let store: Store | undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'killed-'));
  sandbox = await startAdmin();
  http = createHttpClient();
});
afterEach(async () => {
  await store?.close();
  store = undefined;
  await http.close();
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

type Moment = { hook: 'onCall' | 'onWritten'; operation: Operation; nth: number };

/** Kills the process that applies at this moment, of which the stand-in is the judge. */
async function killAt({ hook, operation, nth }: Moment): Promise<void> {
  let seen = 0;
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  sandbox[hook](async (call) => {
    if (call.operation !== operation) return;
    seen += 1;
    if (seen !== nth) return;
    resolve();
    // Longer than it takes to kill: the answer must find nobody.
    await new Promise((wake) => setTimeout(wake, 1_000));
  });
  const child = startChild(process.execPath, [APPLIER, sandbox.url, join(folder, 'bridge.db'), PRODUCTION], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await reached;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Opens what the process left behind, as the next one does, some minutes later. */
async function goOn() {
  const left = await openSqliteStore({ path: join(folder, 'bridge.db'), lockWaitMs: 5_000, now: Date.now });
  store = left;
  const client = createAdminClient({
    http,
    baseUrl: sandbox.url,
    apiVersion: '2024-10-01',
    resourceTypePrefix: 'vendor',
    tableName: 'PlatformResources',
    currency: CURRENCY,
    now: Date.now,
  });
  const { audit } = left;
  const changes = createAuditedChanges(left.changes, audit, Date.now);
  const session = aSession(client, 'sandbox-kim');
  const sources = { session, changes, exclusively: createExclusively(), now: () => Date.now() + 600_000 };
  const list = () => listAudit({ limit: 10 }, { audit, changes, overlay: left.overlay });
  return { audit, changes, list, look: () => lookUpAllocation(PRODUCTION, sources) };
}

describe('a process that is killed while it sets an allocation', () => {
  it.each<[string, Moment, object]>([
    [
      'before the write',
      { hook: 'onCall', operation: 'read-allocation', nth: 2 },
      { kind: 'failed', written: 'no', reason: 'interrupted' },
    ],
    [
      'between the write and the look at it',
      { hook: 'onWritten', operation: 'write-allocation', nth: 1 },
      { kind: 'verified', written: 'yes', reason: 'interrupted' },
    ],
    [
      'while it reads back',
      { hook: 'onCall', operation: 'read-allocation', nth: 3 },
      { kind: 'verified', written: 'yes', reason: 'interrupted' },
    ],
  ])('%s leaves an entry that says so, and the next look tells the truth', async (_, moment, outcome) => {
    await killAt(moment);

    const { audit, changes, list, look } = await goOn();
    const left = await list();
    const told = await look();

    expect(left.rows).toMatchObject([{ isOpen: true, entry: { outcome: { kind: 'begun' }, who: { user: 'UKIM' } } }]);
    expect(told.interrupted).toMatchObject({ id: 'change-1', outcome });
    expect((await changes.get('change-1'))?.outcome).toEqual(outcome);
    expect((await list()).rows).toMatchObject([
      { isOpen: false, entry: { outcome, subject: { changeId: 'change-1' } } },
    ]);
    const verdict = await verifyChain(audit.all(), { origin: await audit.origin(), noted: [await audit.head()] });
    expect(verdict).toMatchObject({ ok: true, entries: 2 });
  });
});
