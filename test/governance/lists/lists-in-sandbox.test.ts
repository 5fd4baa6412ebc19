// The lists against the stand-in of the administrative interface, over real HTTP.

import { toThresholdKey } from '@assistant-bridge/sandbox/admin/model.ts';
import { generateInventory, SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import { type AdminOptions, type AdminSandbox, startAdmin } from '@assistant-bridge/sandbox/admin/start-admin.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AdminClient } from '../../../src/admin-api/admin-client.ts';
import { AdminUnreachableError, AdminUnreadableError } from '../../../src/admin-api/admin-errors.ts';
import type { AdminSession } from '../../../src/admin-api/admin-session.ts';
import { listAgents } from '../../../src/governance/lists/list-agents.ts';
import { listEnvironments } from '../../../src/governance/lists/list-environments.ts';
import { type FilteredList, type ListFilter, parseListFilter } from '../../../src/governance/lists/list-filter.ts';
import { listUsage, readEnvironmentUsage } from '../../../src/governance/lists/list-usage.ts';
import { createHttpClient, type HttpClient } from '../../../src/http/http-client.ts';
import { aClient, aSession } from '../../admin-api/a-session.ts';

const [PRODUCTION = '', MAKERS = '', DEFAULT = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

let http: HttpClient;
let sandbox: AdminSandbox;
let client: AdminClient;

async function start(options: AdminOptions = {}) {
  sandbox = await startAdmin(options);
  client = aClient(http, sandbox.url);
}

const ports = (token = 'sandbox-kim') => ({
  session: aSession(client, token),
  currency: 'ServiceMessages',
  now: Date.now,
});

function filterOf(list: FilteredList, typed: string): ListFilter {
  const parsed = parseListFilter(list, typed);
  if (!parsed.ok) throw new Error(parsed.sentence);
  return parsed.filter;
}

const asked = (list: FilteredList, query = '', page = 0) => ({ filter: filterOf(list, query), query, page });

function agents(typed: string, page = 0, token?: string) {
  return listAgents({ filter: filterOf('agents', typed), page }, ports(token));
}

const namesOf = ({ rows }: { rows: readonly { name: string }[] }) => rows.map(({ name }) => name).toSorted();

beforeEach(() => {
  http = createHttpClient();
});

afterEach(async () => {
  await http.close();
  await sandbox.close();
});

describe('agents', () => {
  it.each<[string, string[]]>([
    ['', ['agent-1', 'agent-2', 'agent-3', 'agent-4', 'agent-5', 'agent-6']],
    ['invoice', ['agent-1', 'agent-3']],
    ['harness', ['agent-1', 'agent-3', 'agent-4', 'agent-6']],
    ['harness:no', ['agent-2']],
    ['harness:unknown', ['agent-5']],
    ['env:contoso production', ['agent-1', 'agent-2']],
    [`env:${PRODUCTION}`, ['agent-1', 'agent-2']],
    [`env:"Ana's "Makers" lab" harness`, ['agent-3', 'agent-4']],
    ['env:contoso', ['agent-1', 'agent-2', 'agent-6']],
    ['owner:owner-3', ['agent-6']],
    ['owner:OWNER-3', ['agent-6']],
    ['invoice env:lab owner:owner-2', ['agent-3']],
    ['env:nowhere', []],
    ['owner:nobody', []],
  ])('are filtered by “%s”', async (typed, found) => {
    await start();

    expect(namesOf(await agents(typed))).toEqual(found);
  });

  it('are counted by what is known of the harness, whichever of them are shown', async () => {
    await start();

    const page = await agents('env:lab harness');

    expect(page.harness).toEqual({ yes: 2, no: 0, unknown: 1 });
    expect(page.total).toBe(2);
  });

  it('are found though the environment is written another way there', async () => {
    await start();
    const [agent] = sandbox.state.agents;
    if (agent) Object.assign(agent, { environmentId: DEFAULT.toUpperCase() });

    expect(namesOf(await agents('env:default harness'))).toEqual(['agent-1', 'agent-6']);
  });

  it.each([`env:x'y`, 'env:a\\b', `owner:' or 1==1`])('cannot be asked for anything else with %s', async (typed) => {
    await start();

    await expect(agents(typed)).resolves.toMatchObject({ total: 0 });
  });

  it.each<[string, number]>([
    ['', 10],
    ['harness', 14],
    ['env:"Environment 2"', 13],
    ['owner:owner-30', 1],
  ])('past the end of what the service lists are found by its own filter: “%s”', async (typed, total) => {
    await start(generateInventory({ environments: 3, agents: 40 }));
    const { session } = ports();
    const findAgents: AdminSession['findAgents'] = async (narrowed) => {
      const { rows } = await session.findAgents(narrowed);
      return narrowed ? { rows, truncated: false } : { rows: rows.slice(0, 10), truncated: true };
    };
    const parsed = parseListFilter('agents', typed);

    const page = parsed.ok && (await listAgents(parsed, { ...ports(), session: { ...session, findAgents } }));

    expect(page).toMatchObject({ total, truncated: true });
  });

  it('say that the names of environments are missing, and go on by ids', async () => {
    await start();
    const failing = { ...ports().session, findEnvironments: () => Promise.reject(new AdminUnreachableError('query')) };
    const filter = { name: '', environment: MAKERS, owner: '', harness: 'any' } as const;

    const page = await listAgents({ filter }, { ...ports(), session: failing });

    expect(page).toMatchObject({ total: 3, isGap: true });
  });

  it('are refused as the service does', async () => {
    await start();

    await expect(agents('', 0, 'sandbox-ana')).rejects.toMatchObject({ code: 'admin_forbidden' });
  });
});

describe('environments', () => {
  it('are sorted by name, with their owners and agents', async () => {
    await start();

    const { rows, strayAgents } = await listEnvironments(asked('environments'), ports());

    expect(rows.map(({ name, ownerId, agents: count }) => [name, ownerId, count])).toEqual([
      [`Ana's "Makers" lab`, 'owner-ben', { all: 3, harness: 2, unknown: 1 }],
      ['Contoso (default)', 'owner-kim', { all: 1, harness: 1, unknown: 0 }],
      ['Contoso Production', 'owner-ana', { all: 2, harness: 1, unknown: 0 }],
    ]);
    expect(strayAgents).toBe(0);
  });

  it.each<[string, string[]]>([
    ['contoso production', ['Contoso Production']],
    ['contoso', ['Contoso (default)', 'Contoso Production']],
    [DEFAULT.toUpperCase(), ['Contoso (default)']],
    ['nothing', []],
  ])('are found by “%s”', async (query, found) => {
    await start();

    expect(namesOf(await listEnvironments(asked('environments', query), ports()))).toEqual(found);
  });

  it('are paged by thousands, with numbers in order', async () => {
    await start(generateInventory({ environments: 2_000, agents: 10 }));

    const page = await listEnvironments(asked('environments', '', 199), ports());

    expect(page).toMatchObject({ total: 2_000, page: 199, pageCount: 200, truncated: false });
    expect(page.rows.at(-1)?.name).toBe('Environment 1999');
  });

  it('say what is not known of their agents', async () => {
    await start();
    sandbox.state.agents.push({ name: 'lost', displayName: 'Lost', environmentId: 'gone', ownerId: 'o' });
    const stray = await listEnvironments(asked('environments'), ports());
    const failing = { ...ports().session, findAgents: () => Promise.reject(new AdminUnreadableError('query')) };

    const gap = await listEnvironments(asked('environments'), { ...ports(), session: failing });

    expect(stray.strayAgents).toBe(1);
    expect(gap.agentGap).toBe('unreadable');
    expect(gap.rows.map(({ agents: count }) => count)).toEqual([undefined, undefined, undefined]);
  });
});

describe('usage', () => {
  it('of all environments reads the shown ones only, a few at a time', async () => {
    await start(generateInventory({ environments: 300, agents: 1 }));
    sandbox.faults.always('delay', { on: 'read-entitlements', ms: 5 });
    let [running, most] = [0, 0];
    const { session } = ports();
    const counted = {
      ...session,
      async readEntitlements(environmentId: string) {
        running += 1;
        most = Math.max(most, running);
        return session.readEntitlements(environmentId).finally(() => {
          running -= 1;
        });
      },
    };

    const found = await listUsage(asked('usage', '', 1), { ...ports(), session: counted });

    expect(found).toMatchObject({ kind: 'overview', overview: { total: 300, page: 1, pageCount: 15 } });
    expect(sandbox.ledger.count('/entitlements')).toBe(20);
    expect(most).toBe(4);
  });

  it('tells what is used, what is not there, and what could not be read', async () => {
    await start();
    sandbox.faults.next('html', { on: 'read-entitlements' });

    const found = await listUsage(asked('usage'), ports());

    const usages = found.kind === 'overview' ? found.overview.rows.map(({ usage }) => usage) : [];
    expect(usages).toHaveLength(3);
    expect(usages).toContain('unreadable');
    expect(usages).toContain('none');
    expect(usages.find((usage) => typeof usage === 'object') ?? {}).toMatchObject({ consumed: 18_250, share: 0.73 });
  });

  it('means one environment where just one fits', async () => {
    await start();

    const one = await listUsage(asked('usage', 'contoso production'), ports());
    const two = await listUsage(asked('usage', 'contoso'), ports());
    const none = await listUsage(asked('usage', 'nothing'), ports());

    expect(one).toMatchObject({ kind: 'one', environment: { environmentId: PRODUCTION } });
    expect(two).toMatchObject({ kind: 'overview', overview: { total: 2 } });
    expect(none).toMatchObject({ kind: 'overview', overview: { total: 0 } });
  });

  it('of one environment tells all its currencies, that of agents first, and its agents by their share', async () => {
    const entitlements = new Map([
      [
        MAKERS,
        [
          { entitlementId: 'AI', entitlement: { capacity: { allocated: { value: 10 }, consumed: { value: 1 } } } },
          { entitlementId: 'servicemessages', entitlement: { capacity: { consumed: { value: 5 } } } },
        ],
      ],
    ]);
    await start({ thresholdList: true, entitlements });

    const usage = await readEnvironmentUsage(MAKERS, ports());

    expect(usage.credits.map(({ currencyType, consumed }) => [currencyType, consumed])).toEqual([
      ['servicemessages', 5],
      ['AI', 1],
    ]);
    expect(usage.agents).toEqual([
      { name: 'Invoice Reader', consumption: 190, limit: 200, stopped: false },
      { name: 'Spec Writer', consumption: 0, limit: 100, stopped: true },
    ]);
  });

  it('of one environment is told without its agents where they are not', async () => {
    await start();
    const notOffered = await readEnvironmentUsage(PRODUCTION, ports());
    await sandbox.close();
    await start({ thresholdList: true });
    sandbox.faults.next('403', { on: 'list-thresholds' });

    const unreadable = await readEnvironmentUsage(PRODUCTION, ports());

    expect(notOffered).toMatchObject({ agents: 'not_offered', credits: [{ consumed: 18_250 }] });
    expect(unreadable).toMatchObject({ agents: 'unreadable', credits: [{ consumed: 18_250 }] });
  });

  it('shows an agent that the inventory does not list by its id', async () => {
    await start({ thresholdList: true });
    const threshold = sandbox.state.thresholds.get(toThresholdKey(MAKERS, 'bot-4'));
    if (threshold) sandbox.state.thresholds.set('other', { ...threshold, resourceId: 'bot-99' });

    const { agents: uses } = await readEnvironmentUsage(MAKERS, ports());

    expect(Array.isArray(uses) && uses.map(({ name }) => name)).toContain('bot-99');
  });

  it.each([
    ['404', 'admin_not_found'],
    ['429-seconds', 'admin_throttled'],
    ['not-json', 'admin_unreadable'],
  ] as const)('of one environment ends with the failure after %s', async (fault, code) => {
    await start();
    sandbox.faults.always(fault, { on: 'read-entitlements', retryAfterS: 30 });

    await expect(readEnvironmentUsage(PRODUCTION, ports())).rejects.toMatchObject({ code });
  });
});
