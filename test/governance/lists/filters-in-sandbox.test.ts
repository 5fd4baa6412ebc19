// Filters, orders and totals of the lists against the stand-in of the administrative interface, over real HTTP.

import { generateInventory, SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import { type AdminOptions, type AdminSandbox, startAdmin } from '@assistant-bridge/sandbox/admin/start-admin.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AdminClient } from '../../../src/admin-api/admin-client.ts';
import { createInventoryCache } from '../../../src/governance/inventory/inventory-cache.ts';
import { buildLimitsMessage } from '../../../src/governance/lists/limits-message.ts';
import { listAgents } from '../../../src/governance/lists/list-agents.ts';
import { listEnvironments } from '../../../src/governance/lists/list-environments.ts';
import { type FilteredList, parseListFilter } from '../../../src/governance/lists/list-filter.ts';
import { type LimitPage, listLimits } from '../../../src/governance/lists/list-limits.ts';
import { listUsage, type UsageOverview } from '../../../src/governance/lists/list-usage.ts';
import { buildUsageMessage } from '../../../src/governance/lists/usage-message.ts';
import { createHttpClient, type HttpClient } from '../../../src/http/http-client.ts';
import { aClient, aSession } from '../../admin-api/a-session.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { readTexts } from '../limits/limit-samples.ts';

const [PRODUCTION = '', MAKERS = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);
const UTC = { timeZone: 'UTC' };

let http: HttpClient;
let sandbox: AdminSandbox;
let client: AdminClient;
let changes: ReturnType<typeof createMemoryStore>['changes'];

async function start(options: AdminOptions = {}) {
  sandbox = await startAdmin(options);
  client = aClient(http, sandbox.url);
}

const ports = () => ({ session: aSession(client, 'sandbox-kim'), currency: 'ServiceMessages', now: Date.now, changes });

function asked(list: FilteredList, query: string, page = 0) {
  const parsed = parseListFilter(list, query);
  if (!parsed.ok) throw new Error(parsed.sentence);
  return { filter: parsed.filter, query, page };
}

const limits = (query: string) => listLimits(asked('limits', query), ports());
const namesOf = ({ rows }: LimitPage) => rows.map(({ name }) => name);

async function usage(query: string, page = 0, values: object = {}): Promise<UsageOverview> {
  const found = await listUsage(asked('usage', query, page), { ...ports(), ...values });
  if (found.kind !== 'overview') throw new Error(found.kind);
  return found.overview;
}

/** In credits; asOf is in the middle of a month of 30 days, unless the test says. */
const anEntitlement = (consumed: number, allocated: number | undefined, lastUpdatedOn = '2026-11-16T00:00:00Z') => ({
  entitlementId: 'ServiceMessages',
  entitlement: {
    capacity: {
      ...(allocated === undefined ? {} : { allocated: { value: allocated } }),
      consumed: { value: consumed, consumptionType: 'MonthToDate', lastUpdatedOn },
    },
  },
});

beforeEach(() => {
  http = createHttpClient();
  ({ changes } = createMemoryStore());
});

afterEach(async () => {
  await http.close();
  await sandbox.close();
});

describe('limits', () => {
  it.each<[string, string[]]>([
    ['none', ['agent-5', 'agent-6', 'agent-2']],
    ['stopped', ['agent-4']],
    ['over:80', ['agent-3']],
    ['over:24', ['agent-3', 'agent-1']],
    ['over:95', ['agent-3']],
    ['over:95.5', []],
    ['env:lab', ['agent-3', 'agent-5', 'agent-4']],
    ['owner:owner-2 none', ['agent-5']],
    ['owner:OWNER-1', ['agent-1', 'agent-2']],
    ['invoice env:"Contoso Production"', ['agent-1']],
    ['harness:no', ['agent-2']],
  ])('are filtered and sorted by “%s”', async (query, names) => {
    await start({ thresholdList: true });

    expect(namesOf(await limits(query))).toEqual(names);
  });

  it('of one owner are added up', async () => {
    await start({ thresholdList: true });

    const page = await limits('owner:owner-2');

    expect(page.totals).toEqual({ limited: 2, limits: 300, used: 190, told: 2, none: 1, unknown: 0, stopped: 1 });
    expect(readTexts(buildLimitsMessage(page, UTC))).toContain(
      '*Agent limits*: 3 agents of the owner “owner-2”\nTogether: limits of 300 credits a month (2 agents) · used 190 (63 %) · 1 without a limit · 1 stopped',
    );
  });

  it('are those that were set from here where the service does not tell them', async () => {
    await start();
    const change = { environmentId: MAKERS, agentResourceId: 'bot-4', kind: 'agent_limit' as const };
    const after = { limit: 100, notify: true, notificationThreshold: 80, stopWhenReached: true, stopped: true };
    const by = { team: 'T1', workspace: 'T1', user: 'U1', reason: 'why' };
    const plan = { before: { source: 'unknown' as const }, after };
    await changes.begin({ schema: 1, id: 'c1', at: 1, agentName: 'agent-4', ...by, ...change, ...plan } as never);
    await changes.finish('c1', { kind: 'applied_not_verified', reason: 'not_offered', written: 'yes' } as never);

    const stopped = await limits('stopped');
    const none = await limits('none');
    const over = await limits('over:80');

    expect(namesOf(stopped)).toEqual(['agent-4']);
    expect(namesOf(none)).toHaveLength(5);
    expect(readTexts(buildLimitsMessage(none, UTC))).toContain('5 of which none was set from here');
    expect(readTexts(buildLimitsMessage(over, UTC))).toContain('so `over:` finds none of them');
  });

  it('of thousands of agents are found in one look', async () => {
    const many = generateInventory({ environments: 20, agents: 3_000 });
    const thresholds = many.agents.slice(0, 40).map(({ environmentId, botId = '' }, index) => ({
      ...{ environmentId, resourceId: botId, limit: 100, resourceConsumption: index, stopResource: false },
      ...{ entitlementId: 'ServiceMessages', notificationThreshold: 80, notifyIfOverCapacity: true },
      ...{ stopIfOverCapacity: true, createdOn: '2026-01-15T08:00:00Z' },
    }));
    await start({ ...many, thresholds, thresholdList: true });

    const none = await limits('none');
    const over = await limits('over:29');

    expect(none).toMatchObject({ total: 2_960, pageCount: 296 });
    // 29 of 100, too.
    expect(over.total).toBe(11);
    expect(over.rows[0]?.known).toMatchObject({ consumption: 39 });
  });
});

describe('agents and environments', () => {
  it('are found by their owner', async () => {
    await start();

    const agents = await listAgents(asked('agents', 'owner:owner-2'), ports());
    const owned = await listEnvironments(asked('environments', 'owner:owner-b'), ports());

    expect(agents.rows.map(({ ownerId }) => ownerId)).toEqual(Array(3).fill('owner-2'));
    expect(owned.rows.map(({ ownerId }) => ownerId)).toEqual(['owner-ben']);
  });
});

describe('usage', () => {
  const entitlements = new Map([
    [PRODUCTION, [anEntitlement(9_000, 10_000)]],
    [MAKERS, [anEntitlement(100, 1_000)]],
    [SEED_ENVIRONMENTS[2]?.name ?? '', [anEntitlement(50, 50)]],
  ]);

  it.each<[string, number[]]>([
    ['over:80', [50, 9_000]],
    ['over:91', [50]],
    ['over:0', [50, 9_000, 100]],
    ['owner:owner-ben over:0', [100]],
    ['contoso over:0', [50, 9_000]],
  ])('is filtered and sorted by “%s”', async (query, consumed) => {
    await start({ entitlements });

    const { rows } = await usage(query, 0, { now: () => Date.parse('2026-11-16T06:00:00Z') });

    expect(rows.map((row) => typeof row.usage === 'object' && row.usage.consumed)).toEqual(consumed);
  });

  it('of the whole tenant is added up', async () => {
    await start({ entitlements });

    const overview = await usage('');

    expect(overview.totals).toMatchObject({ consumed: 9_150, capacity: 11_050, none: 0 });
    expect(readTexts(buildUsageMessage(overview, UTC).content)).toContain(
      '*All of the tenant*: 9,150 of 11,050 credits used · ▰▰▰▰▰▰▰▰▱▱ 82 %',
    );
  });

  it('says of how many it could not be read, though a filter left them out', async () => {
    await start({ entitlements });
    sandbox.faults.next('html', { on: 'read-entitlements' });

    const overview = await usage('over:1');

    expect(overview).toMatchObject({ total: 2, unreadable: 1 });
  });

  it('is read once for all pages, and waited for where the service asks for it', async () => {
    await start(generateInventory({ environments: 60, agents: 1 }));
    sandbox.faults.next('429-seconds', { on: 'read-entitlements', retryAfterS: 1 });
    const cache = createInventoryCache(Date.now);
    const keep = (isFresh: boolean) => cache.toKeep({ team: 'T1', user: 'U1' }, { isFresh });
    const patience = new AbortController().signal;

    const first = await usage('', 0, { keep: keep(true), patience });
    const reads = sandbox.ledger.count('/entitlements');
    const third = await usage('', 2, { keep: keep(false), patience });

    expect(first).toMatchObject({ total: 60, pageCount: 3, unreadable: 0 });
    expect(third.page).toBe(2);
    expect(third.asOf).toBeLessThanOrEqual(first.asOf + 5_000);
    expect(sandbox.ledger.count('/entitlements')).toBe(reads);
  });

  it('of very many is not read for a filter', async () => {
    await start(generateInventory({ environments: 5_001, agents: 1 }));

    const found = await listUsage(asked('usage', 'over:80'), ports());

    expect(found).toEqual({ kind: 'too_many', total: 5_001, most: 5_000 });
    expect(sandbox.ledger.count('/entitlements')).toBe(0);
  });
});
