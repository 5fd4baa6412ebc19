// A process that sets 30,000 credits of an environment, and is killed meanwhile. Arguments: the interface, the database, the
// environment.
import { createAdminClient } from '../../../src/admin-api/admin-client.ts';
import { openSqliteStore } from '../../../src/backend/sqlite-store.ts';
import { ALLOCATION_KIND } from '../../../src/governance/allocations/allocation-kind.ts';
import { lookUpAllocation } from '../../../src/governance/allocations/known-allocation.ts';
import { createAuditedChanges } from '../../../src/governance/audit/audited-changes.ts';
import { applyChange } from '../../../src/governance/changes/apply-change.ts';
import { createExclusively } from '../../../src/governance/shell/concurrency.ts';
import { createHttpClient } from '../../../src/http/http-client.ts';
import { aSession } from '../../admin-api/a-session.ts';
import { aPlan, CURRENCY } from './samples.ts';

const [baseUrl = '', path = '', environmentId = ''] = process.argv.slice(2);
const store = await openSqliteStore({ path, lockWaitMs: 0, now: Date.now });
const client = createAdminClient({
  http: createHttpClient(),
  baseUrl,
  apiVersion: '2024-10-01',
  resourceTypePrefix: 'vendor',
  tableName: 'PlatformResources',
  currency: CURRENCY,
  now: Date.now,
});
const ports = {
  session: aSession(client, 'sandbox-kim'),
  changes: createAuditedChanges(store.changes, store.audit, Date.now),
  exclusively: createExclusively(),
  now: Date.now,
};
const { allocation } = await lookUpAllocation(environmentId, ports);
if (allocation === 'none') throw new Error('there is no allocation');
const request = { changeId: 'change-1', by: { team: 'T1', workspace: 'T1', user: 'UKIM' }, reason: 'the pilot grows' };
await applyChange(ALLOCATION_KIND, aPlan(allocation, { allocated: 30_000 }), request, ports);
