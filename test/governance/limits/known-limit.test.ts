import sinon from 'sinon';
import { describe, expect, it } from 'vitest';
import {
  AdminFailedError,
  AdminRefusedError,
  AdminRejectedError,
  AdminThrottledError,
  AdminUnreachableError,
  AdminUnreadableError,
} from '../../../src/admin-api/admin-errors.ts';
import type { Threshold } from '../../../src/admin-api/licensing-wire.ts';
import type { ChangeOutcome, LimitChange } from '../../../src/governance/changes/change.ts';
import { isSameKnownLimit, readOwnStop, readStopped } from '../../../src/governance/inventory/agent-limit.ts';
import { addStopsElsewhere, lookUpLimit, SOON } from '../../../src/governance/limits/known-limit.ts';
import { LIMIT_KIND } from '../../../src/governance/limits/limit-kind.ts';
import { planLimit } from '../../../src/governance/limits/limit-plan.ts';
import { STOP_KIND } from '../../../src/governance/limits/stop-kind.ts';
import { planStop } from '../../../src/governance/limits/stop-plan.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { AGENT, aDeployedLimit, aLastSetLimit, aLimitChange, anAgentLimit, aThreshold, NOW } from '../shell/samples.ts';

async function lookUp(read: Threshold[] | 'not_offered' | Error, ...made: LimitChange[]) {
  const { changes } = createMemoryStore();
  for (const change of made) await changes.begin(change);
  const readThresholds = async () => {
    if (read instanceof Error) throw read;
    return read;
  };
  return lookUpLimit(AGENT, { session: { readThresholds }, changes, now: () => NOW });
}

const VERIFIED: ChangeOutcome = { kind: 'verified', written: 'yes' };

describe('that no limit was ever set from here', () => {
  it('is told where the deployment offers no read, so that the first one can be told from a higher one', async () => {
    const { known } = await lookUp('not_offered');

    expect(known).toEqual({ source: 'unknown', neverSet: true });
  });

  it.each<[string, Error | 'not_offered', LimitChange[], object]>([
    ['the deployment keeps its limits from this account', new AdminRefusedError('admin_forbidden', 'read'), [], {}],
    ['the deployment rejects the read', new AdminRejectedError('read', undefined), [], {}],
    ['the deployment answers unreadably', new AdminUnreadableError('read'), [], {}],
    ['one was perhaps set from here', 'not_offered', [aLimitChange()], { inDoubt: true }],
  ])('is not told where %s', async (_, read, made, known) => {
    const found = await lookUp(read, ...made);

    expect(found.known).toEqual({ source: 'unknown', ...known });
  });
});

describe('what the deployment tells', () => {
  it('goes before what was set from here', async () => {
    const { known } = await lookUp([aThreshold({ limit: 7, consumption: 3 })], aLimitChange({ outcome: VERIFIED }));

    expect(known).toEqual(aDeployedLimit({ limit: 7 }, 3));
  });

  it('is of this environment, whatever the case of the ids', async () => {
    const elsewhere = aThreshold({ environmentId: 'env-2', limit: 1 });

    const { known } = await lookUp([elsewhere, aThreshold({ environmentId: 'ENV-1', resourceId: 'BOT-1', limit: 2 })]);

    expect(known).toMatchObject({ limit: { limit: 2 } });
  });

  it('is found under the other id of the agent, which is the one to write to then', async () => {
    const { agent, known } = await lookUp([aThreshold({ resourceId: 'agent-1', limit: 7 })]);

    expect(known).toMatchObject({ source: 'deployment', limit: { limit: 7 } });
    expect(agent.agentResourceId).toBe('agent-1');
  });

  it('is unknown, and not none, where it is there in a form that does not tell', async () => {
    const { known } = await lookUp([aThreshold({ limit: undefined, stopResource: 'unknown' })]);

    expect(known).toEqual({ source: 'unknown', isListed: true });
  });

  it.each([true, false])(
    'is at least whether the agent is stopped, where the limit cannot be read: %s',
    async (stopped) => {
      const { known } = await lookUp([aThreshold({ limit: undefined, stopResource: stopped })]);

      expect(known).toEqual({ source: 'unknown', stopped, isListed: true });
    },
  );

  it('is "none" where it lists others only', async () => {
    const { known } = await lookUp([aThreshold({ resourceId: 'bot-2' })], aLimitChange({ outcome: VERIFIED }));

    expect(known).toEqual({ source: 'none', readAt: NOW });
  });
});

describe('what was set from here', () => {
  it.each<['not_offered' | Error]>([
    ['not_offered'],
    [new AdminRefusedError('admin_forbidden', 'read thresholds')],
    [new AdminUnreadableError('read thresholds')],
  ])('counts where the deployment does not tell: %s', async (read) => {
    const { known } = await lookUp(read, aLimitChange({ outcome: VERIFIED }));

    expect(known).toEqual(aLastSetLimit());
  });

  it.each<[string, ChangeOutcome | undefined]>([
    ['has no outcome, as after a crash', undefined],
    ['got no answer', { kind: 'applied_not_verified', written: 'perhaps', reason: 'no_answer' }],
    ['was overtaken by another', { kind: 'conflict', written: 'yes', reason: 'after_write' }],
  ])('is unknown where the last change %s', async (_, outcome) => {
    const earlier = aLimitChange({ outcome: VERIFIED, id: 'earlier', at: NOW - 1 });

    const { known } = await lookUp('not_offered', earlier, aLimitChange(outcome && { outcome }));

    expect(known).toEqual({ source: 'unknown', inDoubt: true });
  });

  it('is the change before one that was never written', async () => {
    const failed = aLimitChange({ outcome: { kind: 'failed', written: 'no' }, id: 'later', at: NOW + 1, user: 'U2' });

    const { known } = await lookUp('not_offered', aLimitChange({ outcome: VERIFIED }), failed);

    expect(known).toEqual(aLastSetLimit());
  });
});

describe('a limit in another currency', () => {
  const agent = { ...AGENT, currencyType: 'AI' };

  function lookInto(usual: Threshold[], other: Threshold[]) {
    const readThresholds = async (currencyType?: string) => (currencyType === 'AI' ? other : usual);
    const { changes } = createMemoryStore();
    return lookUpLimit(agent, { session: { readThresholds }, changes, now: () => NOW });
  }

  it('may be a first one or not where the deployment offers no read: the usual one may stop the agent', async () => {
    const { changes } = createMemoryStore();
    const readThresholds = async () => 'not_offered' as const;

    const { known } = await lookUpLimit(agent, { session: { readThresholds }, changes, now: () => NOW });

    expect(known).toEqual({ source: 'unknown' });
  });

  it('is none where there is one in the configured currency only', async () => {
    expect((await lookInto([aThreshold()], [])).known).toEqual({ source: 'none', readAt: NOW });
    expect((await lookInto([], [aThreshold({ limit: 0.5 })])).known).toMatchObject({ limit: { limit: 0.5 } });
  });

  it('does not hide that the agent is stopped by that one', async () => {
    const { known } = await lookInto([aThreshold({ stopResource: true })], []);

    expect(known).toEqual({ source: 'none', readAt: NOW, stoppedIn: [{}] });
  });
});

describe('an agent with limits in several currencies', () => {
  const AI = { ...AGENT, currencyType: 'AI' };

  function look(agent: typeof AGENT, tables: Record<string, Threshold[] | Error | 'not_offered'>, made?: LimitChange) {
    const asked: string[] = [];
    const readThresholds = async (currencyType = 'usual') => {
      asked.push(currencyType);
      const table = tables[currencyType] ?? [];
      if (table instanceof Error) throw table;
      return table;
    };
    const { changes } = createMemoryStore();
    const sources = { session: { readThresholds }, changes, now: () => NOW };
    const find = async () => {
      if (made) await changes.begin(made);
      const looked = await lookUpLimit(agent, sources);
      return addStopsElsewhere({ agent, known: looked.known }, ['AI', 'Flows'], sources);
    };
    return { find, asked };
  }

  it('is stopped by each of them, be it the usual one or another', async () => {
    const stopping = aThreshold({ stopResource: true });

    const usual = await look(AGENT, { usual: [aThreshold()], AI: [stopping] }).find();
    const other = await look(AI, { usual: [stopping], AI: [aThreshold()], Flows: [stopping] }).find();

    expect(usual).toEqual({ ...aDeployedLimit(), stoppedIn: [{ currencyType: 'AI' }] });
    expect(readStopped(usual)).toBe(true);
    expect(readOwnStop(usual)).toBe(false);
    expect(other).toEqual({ ...aDeployedLimit(), stoppedIn: [{}, { currencyType: 'Flows' }] });
  });

  it('costs one read of each currency', async () => {
    const { find, asked } = look(AI, {});

    await find();

    expect(asked.toSorted()).toEqual(['AI', 'Flows', 'usual']);
  });

  it('is what was last set from here where the service does not tell', async () => {
    const made = aLimitChange({
      currencyType: 'AI',
      after: { ...anAgentLimit(), stopped: true },
      outcome: VERIFIED,
    });

    const known = await look(AGENT, { usual: 'not_offered', AI: 'not_offered', Flows: 'not_offered' }, made).find();

    expect(known).toEqual({ source: 'unknown', neverSet: true, stoppedIn: [{ currencyType: 'AI' }] });
  });

  it('can be set although another currency cannot be read now', async () => {
    const known = await look(AGENT, { AI: new AdminThrottledError('read thresholds', 1000) }).find();

    expect(known).toEqual({ source: 'none', readAt: NOW });
  });

  it('is looked at again before a write, as it was planned', async () => {
    const stopping = [aThreshold({ stopResource: true })];
    const readThresholds = async (currencyType?: string) => (currencyType === 'AI' ? stopping : [aThreshold()]);
    const { changes } = createMemoryStore();
    const planned = { ...aDeployedLimit(), stoppedIn: [{ currencyType: 'AI' }] };
    const plan = planStop({ agent: AGENT, before: planned, limit: anAgentLimit(), stopped: false });

    const sources = { session: { readThresholds, putThreshold: async () => ({}) }, changes, now: () => NOW };
    const found = await LIMIT_KIND.lookUp(plan, sources);

    expect(LIMIT_KIND.isAsPlanned(plan, found)).toBe(true);
    expect(LIMIT_KIND.isAsPlanned(plan, aDeployedLimit())).toBe(false);
  });
});

describe('a look that may work later', () => {
  it('is an error, not an unknown limit, where a sign-in helps', async () => {
    const error = new AdminRefusedError('admin_unauthorized', 'read thresholds');

    await expect(lookUp(error, aLimitChange({ outcome: VERIFIED }))).rejects.toBe(error);
  });
});

describe('a look for a change of this one agent', () => {
  it.each([
    new AdminThrottledError('read thresholds', 1000),
    new AdminUnreachableError('read thresholds'),
    new AdminFailedError('read thresholds'),
  ])('tells an unknown limit where the read fails: %s', async (error) => {
    expect((await lookUp(error)).known).toEqual({ source: 'unknown' });
  });

  it('tells an unknown limit to a form where the read does not end in two seconds', async () => {
    const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const session = { readThresholds: () => new Promise<never>(() => undefined) };

    const looking = lookUpLimit(AGENT, { session, changes: createMemoryStore().changes, now: () => NOW }, SOON);
    await clock.tickAsync(2_000);
    clock.restore();

    expect((await looking).known).toEqual({ source: 'unknown' });
  });

  it('that shows only later what was unknown keeps nobody from the change, unless somebody stopped the agent', () => {
    const result = planLimit({
      ...{ agent: AGENT, before: { source: 'unknown' }, wanted: anAgentLimit(), stopDecision: 'not_stopped' },
    });
    if (result.kind !== 'planned') throw new Error('not planned');

    expect(LIMIT_KIND.isAsPlanned(result.plan, aDeployedLimit({ stopped: false }))).toBe(true);
    expect(LIMIT_KIND.isAsPlanned(result.plan, aDeployedLimit({ stopped: true }))).toBe(false);
  });

  it('does not wait for long before a stop, which goes by what was known', async () => {
    const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const before = aDeployedLimit();
    const session = { readThresholds: () => new Promise<never>(() => undefined), putThreshold: async () => ({}) };
    const plan = planStop({ agent: AGENT, before, limit: anAgentLimit(), stopped: true });

    const looking = STOP_KIND.lookUp(
      plan,
      { session, changes: createMemoryStore().changes, now: () => NOW },
      undefined,
    );
    await clock.tickAsync(3_000);
    clock.restore();

    expect(await looking).toBe(before);
  });
});

describe('two looks at a limit that cannot be read', () => {
  it('differ where a change from here came in between that may or may not hold', () => {
    const neverSet = { source: 'unknown', neverSet: true } as const;

    expect(isSameKnownLimit(neverSet, { source: 'unknown' })).toBe(true);
    expect(isSameKnownLimit(neverSet, { source: 'unknown', inDoubt: true })).toBe(false);
  });
});
