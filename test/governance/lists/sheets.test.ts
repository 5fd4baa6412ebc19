import { describe, expect, it } from 'vitest';
import { AdminUnreachableError } from '../../../src/admin-api/admin-errors.ts';
import type { AdminSession } from '../../../src/admin-api/admin-session.ts';
import type { Agent } from '../../../src/admin-api/inventory-wire.ts';
import type { Entitlement, Threshold } from '../../../src/admin-api/licensing-wire.ts';
import type { ListFilter } from '../../../src/governance/lists/list-filter.ts';
import { readAgentSheet, readLimitSheet, readUsageSheet } from '../../../src/governance/lists/list-sheets.ts';
import { buildInsightSheet, buildRuleSheet, readAuditSheet } from '../../../src/governance/lists/log-sheets.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { anEntry } from '../audit/samples.ts';
import { readRows } from '../exports/sheet-rows.ts';
import { aLimitChange, NOW } from '../shell/samples.ts';

const ANY = { name: '', environment: '', owner: '', harness: 'any' } as const;
const ALL = { filter: ANY, query: '' };
const now = () => NOW;

const agents = Array.from({ length: 25 }, (_, index): Agent => {
  const ids = { name: `agent-${index}`, agentResourceId: `bot-${index}`, environmentId: `env-${index % 3}` };
  return { ...ids, displayName: `=Agent ${index}`, ownerId: 'owner-1', isHarness: index === 1 ? 'unknown' : true };
});

function aSession(values: Partial<AdminSession> = {}): AdminSession {
  return {
    findAgents: async () => ({ rows: agents, truncated: false }),
    findEnvironments: async () => ({
      rows: [0, 1, 2].map((index) => ({ name: `env-${index}`, displayName: `Lab ${index}`, ownerId: 'owner-1' })),
      truncated: false,
    }),
    readThresholds: async () => 'not_offered',
    readEntitlements: async () => [],
    ...values,
  } as AdminSession;
}

const limitPorts = (session: AdminSession) => ({
  ...{ session, currency: 'ServiceMessages', now },
  changes: createMemoryStore().changes,
});

describe('a sheet of a list', () => {
  it('has the rows of all pages, with what is not told left empty', async () => {
    const rows = readRows(await readAgentSheet(ALL, { session: aSession(), now }));

    expect(rows).toHaveLength(25);
    expect(rows.find(({ agent_id }) => agent_id === 'agent-1')).toEqual({
      agent_id: 'agent-1',
      agent_resource_id: 'bot-1',
      agent_name: '=Agent 1',
      environment_id: 'env-1',
      environment_name: 'Lab 1',
      owner_id: 'owner-1',
      is_harness: null,
    });
  });

  it('tells each limit, where it is known from, and what is used of it', async () => {
    const threshold: Threshold = {
      ...{ environmentId: 'env-0', resourceId: 'bot-0', limit: 200, consumption: 50, stopResource: false },
      ...{ notifyIfOverCapacity: true, notificationThreshold: 82.5, stopIfOverCapacity: 'unknown' as const },
    };
    const session = aSession({ readThresholds: async () => [threshold] });

    const sheet = await readLimitSheet(ALL, limitPorts(session));

    const rows = readRows(sheet);
    expect(sheet.gaps).toEqual([]);
    expect(rows.find(({ agent_id }) => agent_id === 'agent-0')).toMatchObject({
      ...{ limit_source: 'unknown', monthly_limit: 200, notifies: true, notifies_at_percent: 82.5 },
      ...{ stops_when_reached: null, is_stopped: false },
    });
    expect(rows.find(({ agent_id }) => agent_id === 'agent-1')).toMatchObject({
      ...{ limit_source: 'none', monthly_limit: null, share: null },
    });
  });

  it('has only the rows that the filter leaves, in the order of the list', async () => {
    const thresholds = [1, 2, 3].map(
      (index): Threshold => ({
        ...{ environmentId: `env-${index % 3}`, resourceId: `bot-${index}`, limit: 100, consumption: index * 30 },
        ...{
          notifyIfOverCapacity: true,
          notificationThreshold: 80,
          stopIfOverCapacity: false,
          stopResource: index === 2,
        },
      }),
    );
    const session = aSession({ readThresholds: async () => thresholds });
    const readIds = async (parts: Partial<ListFilter>) => {
      const sheet = await readLimitSheet({ filter: { ...ANY, ...parts }, query: '' }, limitPorts(session));
      return readRows(sheet).map(({ agent_id }) => agent_id);
    };

    expect(await readIds({ over: 60 })).toEqual(['agent-3', 'agent-2']);
    expect(await readIds({ stopped: true })).toEqual(['agent-2']);
    expect(await readIds({ none: true })).toHaveLength(22);
  });

  it('has what environments have used by the filter and the order of the list, and names what may be left out', async () => {
    const session = aSession({
      async readEntitlements(id) {
        if (id === 'env-0') throw new AdminUnreachableError('no answer');
        const used = id === 'env-1' ? 85 : 95;
        return [{ entitlementId: 'ServiceMessages', consumed: used, capacity: 100 } as Entitlement];
      },
    });

    const wanted = { filter: { ...ANY, over: 80 }, query: 'over:80' };
    const sheet = await readUsageSheet(wanted, { session, currency: 'ServiceMessages', now });

    expect(readRows(sheet).map(({ environment_id }) => environment_id)).toEqual(['env-2', 'env-1']);
    expect(sheet.gaps).toEqual(['The consumption of some environments could not be read: it is empty there.']);
  });

  it('tells what was last set from here where the service shows no limits, and says so', async () => {
    const ports = limitPorts(aSession());
    const change = aLimitChange({ environmentId: 'env-0', agentResourceId: 'bot-0', user: 'U0KIM' });
    await ports.changes.begin(change);
    await ports.changes.finish(change.id, { kind: 'verified', written: 'yes' });

    const sheet = await readLimitSheet(ALL, ports);

    expect(sheet.gaps).toEqual([expect.stringContaining('does not show limits')]);
    expect(readRows(sheet)[0]).toMatchObject({
      ...{ agent_id: 'agent-0', limit_source: 'last_set', monthly_limit: change.after.limit, set_by: 'U0KIM' },
      set_at: new Date(change.at).toISOString(),
    });
  });

  it('reads each environment once, a few at a time, and names one that cannot be read', async () => {
    let [reading, most, count] = [0, 0, 0];
    const environments = Array.from({ length: 60 }, (_, index) => ({
      ...{ name: `env-${index}`, displayName: `Lab ${index}`, ownerId: undefined },
    }));
    const session = aSession({
      findEnvironments: async () => ({ rows: environments, truncated: false }),
      async readEntitlements() {
        count += 1;
        reading += 1;
        most = Math.max(most, reading);
        await new Promise(setImmediate);
        reading -= 1;
        return [];
      },
    });

    const sheet = await readUsageSheet(ALL, { session, currency: 'ServiceMessages', now });

    expect([sheet.rows.length, count, sheet.gaps]).toEqual([60, 60, []]);
    expect(most).toBeLessThanOrEqual(4);
    expect(readRows(sheet)[0]).toMatchObject({ state: 'none', used: null });
  });
});

describe('a sheet of the audit log', () => {
  it('has one row for each change, the latest first, with the whole change', async () => {
    const { audit, changes, overlay } = createMemoryStore();
    for (let index = 0; index < 230; index += 1) {
      const subject = { environmentId: 'env-0', agentResourceId: 'bot-0', changeId: `change-${index}` };
      await audit.append(anEntry({ at: NOW + index, subject, after: { b: 1, a: 2 }, outcome: { kind: 'done' } }));
    }

    const sheet = await readAuditSheet('', { audit, changes, overlay, session: aSession(), now });

    const [first, ...rest] = readRows(sheet);
    expect([rest.length, sheet.gaps]).toEqual([229, []]);
    expect(first).toMatchObject({ change_id: 'change-229', agent_name: '=Agent 0', after: '{"a":2,"b":1}' });
  });
});

describe('a sheet of insights', () => {
  it('shows no figure that the message hides', () => {
    const few = buildInsightSheet({ counts: { questions: 9 }, people: { questions: 4 }, firstDay: 1 }, NOW);
    const usage = {
      counts: { questions: 100, direct: 100, web_off: 3, 'result:answer': 100, 'seconds:8': 100 },
      people: { questions: 20, direct: 20, web_off: 2, 'result:answer': 20 },
      firstDay: 1,
    };
    const rows = readRows(buildInsightSheet(usage, NOW));

    expect(few.rows).toEqual([]);
    expect(rows).toContainEqual({ metric: 'askers', value: 20, note: null });
    expect(rows).toContainEqual({ metric: 'share_web_off', value: null, note: 'hidden' });
  });
});

describe('a sheet of the rules of channels', () => {
  it('has what counts where, and what set it', () => {
    const everywhere = { webSearch: 'off' as const };
    const channels = { C1: { questions: 'refused' as const } };
    const stored = { schema: 1 as const, workspace: 'T1', version: 1, everywhere, channels };

    const rows = readRows(buildRuleSheet(stored, {}, NOW));

    expect(rows).toHaveLength(8);
    expect(rows).toContainEqual({ channel_id: null, rule: 'webSearch', value: 'off', set_by: 'workspace' });
    expect(rows).toContainEqual({ channel_id: 'C1', rule: 'questions', value: 'refused', set_by: 'channel' });
  });
});
