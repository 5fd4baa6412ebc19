// The whole way of a limit against the stand-in of the administrative interface, over real HTTP.

import { toThresholdKey } from '@assistant-bridge/sandbox/admin/model.ts';
import { generateInventory, SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import { type AdminOptions, type AdminSandbox, startAdmin } from '@assistant-bridge/sandbox/admin/start-admin.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AdminClient } from '../../../src/admin-api/admin-client.ts';
import { applyChange } from '../../../src/governance/changes/apply-change.ts';
import type { ChangeStore } from '../../../src/governance/changes/change.ts';
import type { StopDecision, WantedLimit } from '../../../src/governance/inventory/agent-limit.ts';
import { findAgent, joinInventory, toGovernedAgent } from '../../../src/governance/inventory/inventory.ts';
import { lookUpLimit } from '../../../src/governance/limits/known-limit.ts';
import { LIMIT_KIND } from '../../../src/governance/limits/limit-kind.ts';
import { planLimit } from '../../../src/governance/limits/limit-plan.ts';
import { LIMITS_PAGE_SIZE, listLimits } from '../../../src/governance/lists/list-limits.ts';
import { createExclusively } from '../../../src/governance/shell/concurrency.ts';
import { createHttpClient, type HttpClient } from '../../../src/http/http-client.ts';
import type { WithLock } from '../../../src/with-lock.ts';
import { aClient, aSession } from '../../admin-api/a-session.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { aListFilter } from '../lists/list-samples.ts';
import { aWantedLimit } from '../shell/samples.ts';

const TOKEN = 'sandbox-kim';
const [PRODUCTION = '', MAKERS = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

let http: HttpClient;
let sandbox: AdminSandbox;
let client: AdminClient;
let changes: ChangeStore;
let exclusively: WithLock;

async function start(options: AdminOptions = {}) {
  sandbox = await startAdmin(options);
  client = aClient(http, sandbox.url);
}

const ports = () => ({
  session: aSession(client, TOKEN),
  changes,
  exclusively,
  now: Date.now,
});

async function lookUp(name: string) {
  const { session } = ports();
  const [agents, environments] = await Promise.all([session.findAgents(), session.findEnvironments()]);
  const match = findAgent(joinInventory(agents.rows, environments.rows), name);
  const agent = match.kind === 'one' ? toGovernedAgent(match.agent) : undefined;
  if (agent === undefined) throw new Error(`${name} is not one governed agent`);
  return lookUpLimit(agent, ports());
}

async function plan(name: string, wanted: Partial<WantedLimit>, stopDecision?: StopDecision) {
  const { agent, known } = await lookUp(name);
  const result = planLimit({ agent, before: known, wanted: aWantedLimit(wanted), stopDecision });
  if (result.kind !== 'planned') throw new Error('the plan needs a decision');
  return result.plan;
}

const request = (changeId: string) => ({ changeId, by: { team: 'T1', workspace: 'T1', user: 'U1' } });
const list = (query = '', page = 0, token = TOKEN) =>
  listLimits(
    { filter: aListFilter({ name: query }), query, page },
    { session: aSession(client, token), changes, currency: 'ServiceMessages', now: Date.now },
  );
const thresholdOf = (environment: string, bot: string) =>
  sandbox.state.thresholds.get(toThresholdKey(environment, bot));

beforeEach(() => {
  http = createHttpClient();
  changes = createMemoryStore().changes;
  exclusively = createExclusively();
});

afterEach(async () => {
  await http.close();
  await sandbox.close();
});

describe('the list', () => {
  it('shows limits, consumption and environments as far as the service tells', async () => {
    await start({ thresholdList: true });

    const page = await list();

    const told = page.rows.map(({ displayName, environmentName, isHarness, known, environmentUse }) => [
      displayName,
      environmentName,
      isHarness,
      known.source === 'deployment' ? [known.limit.limit, known.consumption, known.limit.stopped] : known.source,
      environmentUse?.consumed,
    ]);
    expect(told).toEqual([
      ['Invoice Reader', `Ana's "Makers" lab`, true, [200, 190, false], undefined],
      ['Old Helper', `Ana's "Makers" lab`, 'unknown', 'none', undefined],
      ['Spec Writer', `Ana's "Makers" lab`, true, [100, 0, true], undefined],
      ['Trial Bot', 'Contoso (default)', true, 'none', undefined],
      ['Invoice Reader', 'Contoso Production', true, [5000, 1234.5, false], 18_250],
      ['Travel Planner', 'Contoso Production', false, 'none', 18_250],
    ]);
    expect(page).toMatchObject({ total: 6, truncated: false, gaps: [] });
  });

  it.each(['nested', 'dotted', 'underscored'] as const)('reads %s rows', async (projection) => {
    await start({ projection });

    const page = await list('spec writer');

    const row = { agentResourceId: 'bot-4', environmentName: `Ana's "Makers" lab`, ownerId: 'owner-2' };
    expect(page.rows).toMatchObject([row]);
  });

  it('pages through thousands, and reads entitlements of the shown environments only', async () => {
    await start({ ...generateInventory({ environments: 300, agents: 2500 }), pageSize: 700 });

    const page = await list('', 249);

    expect(page).toMatchObject({ total: 2500, page: 249, pageCount: 250, truncated: false });
    expect(page.rows).toHaveLength(LIMITS_PAGE_SIZE);
    expect(sandbox.ledger.count('/entitlements')).toBeLessThanOrEqual(LIMITS_PAGE_SIZE);
  });

  it('shows the nearest page where there is no such page', async () => {
    await start();

    await expect(list('', 99)).resolves.toMatchObject({ page: 0, rows: { length: 6 } });
    await expect(list('', Number.NaN)).resolves.toMatchObject({ page: 0 });
  });

  it('counts an agent that comes on two pages once', async () => {
    await start({ pageSize: 3 });
    sandbox.faults.always('repeated-row', { on: 'query' });

    const found = await aSession(client, TOKEN).findAgents();

    expect(found.rows.map(({ name }) => name)).toEqual([1, 2, 3, 4, 5, 6].map((number) => `agent-${number}`));
    expect(found.truncated).toBe(false);
  });

  it('names what could not be read, and shows the rest', async () => {
    await start({ thresholdList: true });
    sandbox.faults.always('not-json', { on: 'read-entitlements' });
    sandbox.faults.always('403', { on: 'list-thresholds' });

    const page = await list();

    expect(page).toMatchObject({ total: 6, gaps: ['limits', 'consumption'] });
  });

  it.each([
    ['sandbox-ana', 'admin_forbidden'],
    ['nonsense', 'admin_unauthorized'],
  ])('refuses %s as the service does', async (token, code) => {
    await start();

    await expect(list('', 0, token)).rejects.toMatchObject({ code });
  });
});

describe('a limit', () => {
  it('is set and verified', async () => {
    await start({ thresholdList: true });

    const outcome = await applyChange(LIMIT_KIND, await plan('agent-1', { limit: 6000 }), request('c1'), ports());

    expect(outcome).toEqual({ kind: 'verified' });
    expect(thresholdOf(PRODUCTION, 'bot-1')).toMatchObject({ limit: 6000, stopResource: false });
    expect(thresholdOf(MAKERS, 'bot-1')).toMatchObject({ limit: 200 });
  });

  it('is remembered with its date where thresholds cannot be read', async () => {
    await start();

    const outcome = await applyChange(
      LIMIT_KIND,
      await plan('agent-1', { limit: 6000 }, 'not_stopped'),
      request('c1'),
      ports(),
    );
    const { known } = await lookUp('agent-1');

    expect(outcome).toEqual({ kind: 'applied_not_verified', reason: 'not_offered' });
    expect(thresholdOf(PRODUCTION, 'bot-1')).toMatchObject({ limit: 6000 });
    expect(known).toMatchObject({ source: 'last_set', limit: { limit: 6000 }, setBy: 'U1' });
  });

  it('is raised while the agent stays stopped', async () => {
    await start({ thresholdList: true });

    const outcome = await applyChange(
      LIMIT_KIND,
      await plan('Spec Writer', { limit: 900 }, 'keep_stopped'),
      request('c1'),
      ports(),
    );

    expect(outcome).toEqual({ kind: 'verified' });
    expect(thresholdOf(MAKERS, 'bot-4')).toMatchObject({ limit: 900, stopResource: true });
  });

  it('is not set where somebody stopped the agent after the plan was made', async () => {
    await start({ thresholdList: true });
    const made = await plan('agent-1', { limit: 6000 });
    const seeded = thresholdOf(PRODUCTION, 'bot-1');
    if (seeded) sandbox.state.thresholds.set(toThresholdKey(PRODUCTION, 'bot-1'), { ...seeded, stopResource: true });

    const outcome = await applyChange(LIMIT_KIND, made, request('c1'), ports());

    expect(outcome).toMatchObject({ kind: 'conflict', stage: 'before_write' });
    expect(thresholdOf(PRODUCTION, 'bot-1')).toMatchObject({ limit: 5000, stopResource: true });
  });

  it('shows both values where somebody else writes right after', async () => {
    await start({ thresholdList: true });
    sandbox.onWritten(() => {
      const written = thresholdOf(PRODUCTION, 'bot-1');
      if (written) sandbox.state.thresholds.set(toThresholdKey(PRODUCTION, 'bot-1'), { ...written, limit: 7 });
    });

    const outcome = await applyChange(LIMIT_KIND, await plan('agent-1', { limit: 6000 }), request('c1'), ports());

    expect(outcome).toMatchObject({
      kind: 'conflict',
      stage: 'after_write',
      expected: { limit: { limit: 6000 } },
      found: { limit: { limit: 7 } },
    });
  });

  it.each(['lost-500', 'reset-after-processing'] as const)('is found to be set after %s', async (fault) => {
    await start({ thresholdList: true });
    const made = await plan('agent-1', { limit: 6000 });
    sandbox.faults.next(fault, { on: 'write-threshold' });

    const outcome = await applyChange(LIMIT_KIND, made, request('c1'), ports());

    expect(outcome).toEqual({ kind: 'verified' });
    expect(sandbox.ledger.count('/threshold')).toBe(1);
  });

  it('is said to be unsettled where the answer is lost and nothing can be read', async () => {
    await start();
    const made = await plan('agent-1', { limit: 6000 }, 'not_stopped');
    sandbox.faults.next('reset-after-processing', { on: 'write-threshold' });

    const outcome = await applyChange(LIMIT_KIND, made, request('c1'), ports());

    expect(outcome).toEqual({ kind: 'applied_not_verified', reason: 'no_answer' });
  });

  it.each([
    ['400', 'The request is invalid'],
    ['403', 'does not allow'],
    ['404', 'does not know'],
    ['429-seconds', 'in 1 second.'],
    ['429-date', 'Try again in'],
  ] as const)('ends with a clear sentence after %s, and nothing is changed', async (fault, words) => {
    await start({ thresholdList: true });
    const made = await plan('agent-1', { limit: 6000 });
    sandbox.faults.next(fault, { on: 'write-threshold' });

    const outcome = await applyChange(LIMIT_KIND, made, request('c1'), ports());

    expect(outcome).toMatchObject({ kind: 'failed', failure: { sentence: expect.stringContaining(words) } });
    expect(thresholdOf(PRODUCTION, 'bot-1')).toMatchObject({ limit: 5000 });
  });

  it('is written once for two clicks', async () => {
    await start({ thresholdList: true });
    const made = await plan('agent-1', { limit: 6000 });

    const outcomes = await Promise.all([1, 2].map(() => applyChange(LIMIT_KIND, made, request('c1'), ports())));

    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['duplicate', 'verified']);
    expect(sandbox.ledger.count('/threshold')).toBe(1);
  });
});
