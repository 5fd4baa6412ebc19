import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { AdminUnreachableError } from '../../../src/admin-api/admin-errors.ts';
import { readEnvironmentName } from '../../../src/governance/forms/pick-form.ts';
import { STOP_FORMS } from '../../../src/governance/forms/stop-form.ts';
import { setEdit } from '../../../src/policy/edit.ts';
import { anAgent, aThreshold, CURRENCY } from '../samples.ts';
import { aWorld, initialOf, REASON, textOf, type World, within } from '../world.ts';

const AGENT = { environmentId: 'env-1', agentId: 'a1' };
const ENVIRONMENT = { environmentId: 'env-1' };
const { stop, run } = STOP_FORMS;

function withAgents(world: World, count: number): World {
  world.service.agents = Array.from({ length: count }, (_, index) =>
    anAgent({ name: `a${index + 1}`, displayName: `Bot ${index + 1}` }),
  );
  return world;
}

const plans = (world: World) => world.confirmed.map(({ proposal }) => proposal.plan);

describe('a stop', () => {
  it('is one window, with a reason that is good enough, and one press', async () => {
    const world = aWorld();

    const view = await world.give('stop', 'travel');
    const errors = await world.submit(stop, view, {});

    expect(textOf(view)).toContain('*Stops now for everybody.* Its limit stays as it is.');
    expect([view?.submit?.text, initialOf(view, 'reason'), errors]).toEqual(['Stop', 'Emergency stop', {}]);
    const limit = { credits: 1_000, noticeAt: 80, stopAtLimit: false };
    expect(plans(world)).toMatchObject([
      {
        edits: [setEdit('stop', AGENT, true)],
        items: [{ isStop: true, way: 'less', after: { limit, stopped: true } }],
      },
    ]);
    expect(world.confirmed[0]?.confirmation).toMatchObject({ reason: 'Emergency stop', approver: undefined });
  });

  it('opens without the service where the agents are known, and is confirmed without reading anything', async () => {
    const world = aWorld();
    await world.remember();
    world.service.delayMs = 1_500;

    const view = await within(1_200, () => world.give('stop', 'travel planner'));
    await within(0, () => world.submit(stop, view, { reason: REASON }));

    expect(world.service.calls).not.toContain('agents');
    expect(plans(world)).toMatchObject([{ items: [{ before: 'unknown', isStop: true }] }]);
  });

  it('takes what is read while somebody says why', async () => {
    const world = aWorld();
    await world.remember();
    world.service.delayMs = 800;

    const view = await within(3_000, async () => {
      const opened = await world.give('stop', 'a1');
      await Promise.all(world.background);
      return opened;
    });
    await world.submit(stop, view, {});

    expect(textOf(view)).toContain('could not be read');
    expect(plans(world)).toMatchObject([{ items: [{ before: { limit: { credits: 1_000 } } }] }]);
  });

  it('sends the limit that was set since the window was opened, and not the one that it showed', async () => {
    const world = aWorld();
    const target = { ...AGENT, currency: CURRENCY };
    const limit = { credits: 100, noticeAt: 80, stopAtLimit: true } as const;

    const view = await world.give('stop', 'a1');
    await world.approve(setEdit('limit', target, limit));
    await world.send(AGENT, { limit, stopped: false, at: world.services.now() + 1 });
    await world.submit(stop, view, {});

    expect(plans(world)).toMatchObject([{ items: [{ isStop: true, after: { limit, stopped: true } }] }]);
  });

  it('is also sent to what an old window showed as stopped', async () => {
    const world = aWorld();
    world.service.thresholds = [aThreshold({ stopResource: true })];

    const view = await world.give('stop', 'a1');
    world.passMs(10 * 60_000);
    await world.submit(stop, view, {});

    expect(plans(world)).toMatchObject([{ items: [{ before: 'unknown', isStop: true }] }]);
  });

  it('is of the agent with the name, and not of an older one that has it as a part', async () => {
    const world = aWorld();
    world.service.agents = [anAgent({ displayName: 'Travel Planner (old)' })];
    await world.remember();
    world.service.agents.push(anAgent({ name: 'a2', displayName: 'Travel Planner' }));

    const view = textOf(await world.give('stop', 'travel planner'));
    world.session.findAgents = () => Promise.reject(new AdminUnreachableError('query inventory'));
    const down = textOf(await world.give('stop', 'planner (o'));

    expect([view.includes('(old)'), down.includes('(old)')]).toEqual([false, true]);
  });

  it('says where it is stopped already, and stops what was run again elsewhere', async () => {
    const world = aWorld();
    await world.approve(setEdit('stop', AGENT, true));

    await world.submit(stop, await world.give('stop', 'a1'), {});
    world.service.thresholds = [aThreshold({ stopResource: true })];
    await world.give('stop', 'a1');

    expect(plans(world)).toMatchObject([{ items: [{ isStop: true }] }]);
    expect(world.problems).toEqual([expect.stringContaining('is stopped already')]);
  });
});

describe('a stop of an environment', () => {
  it.each([
    ['env:Burning', 'Burning'],
    ['ENV: "Contoso Production"', 'Contoso Production'],
    ['environment:x y', 'x y'],
    ['travel', undefined],
    ['envoy', undefined],
  ])('is named by its prefix: %s', (text, name) => {
    expect(readEnvironmentName(text)).toBe(name);
  });

  it('makes no exception of an agent that was to run, and keeps apart what was stopped before', async () => {
    const world = withAgents(aWorld(), 3);
    world.service.thresholds = [aThreshold({ resourceId: 'a3', stopResource: true })];
    await world.approve(setEdit('stop', AGENT, false));
    await world.remember();

    const view = await world.give('stop', 'env:env-1');
    await Promise.all(world.background);
    await world.submit(stop, view, {});

    const [plan] = plans(world);
    expect(plan?.edits).toEqual([
      setEdit('stop', ENVIRONMENT, true),
      { setting: 'stop', target: AGENT, change: { kind: 'restore', entry: undefined } },
      setEdit('stop', { ...ENVIRONMENT, agentId: 'a3' }, true),
    ]);
    expect(plan?.items.map((item) => item.resource === 'threshold' && item.agent.agentId)).toEqual(['a1', 'a2']);
  });

  it('also stops what was made since it was last listed', async () => {
    const world = withAgents(aWorld(), 2);
    await world.remember();
    world.service.agents.push(anAgent({ name: 'a9', displayName: 'Late' }));
    world.service.delayMs = 100;

    const view = await world.give('stop', 'env:env-1');
    await world.submit(stop, view, {});

    const stopped = plans(world).map(({ items }) =>
      items.map((item) => item.resource === 'threshold' && item.agent.agentId),
    );
    expect([view?.submit?.text, stopped]).toEqual(['Stop 2', [['a1', 'a2'], ['a9']]]);
    await Promise.all(world.background);
    await sleep(0);
  });

  it('says that newer agents may still run if they cannot be listed', async () => {
    const world = withAgents(aWorld(), 2);
    await world.remember();
    world.service.hanging = ['agents'];
    const view = await world.give('stop', 'env:env-1');
    world.service.hanging = [];
    world.session.findAgents = () => Promise.reject(new AdminUnreachableError('query inventory'));

    await world.submit(stop, view, {});

    expect([plans(world).length, textOf(world.said)]).toEqual([1, expect.stringContaining('may still run')]);
  });

  it('leaves out none that was shown because the service lists a part now', async () => {
    const world = withAgents(aWorld(), 3);
    await world.remember();
    world.service.isPart = true;
    world.service.agents = [anAgent({ name: 'a2' }), anAgent({ name: 'a9' })];

    const view = await world.give('stop', 'env:env-1');
    await Promise.all(world.background);
    await world.submit(stop, view, {});

    const stopped = plans(world).flatMap(({ items }) =>
      items.map((item) => item.resource === 'threshold' && item.agent.agentId),
    );
    expect([view?.submit?.text, stopped.toSorted()]).toEqual(['Stop 3', ['a1', 'a2', 'a3', 'a9']]);
  });

  it('says which limits go with it where the service shows none', async () => {
    const world = withAgents(aWorld(), 2);
    const shown = textOf(await world.give('stop', 'env:env-1'));
    world.service.thresholds = 'not_offered';
    const hidden = textOf(await world.give('stop', 'env:env-1'));

    expect([shown, hidden].map((text) => text.includes('else no limit'))).toEqual([false, true]);
    await Promise.all(world.background);
  });
});

describe('where the service shows no limits', () => {
  const policyLimit = { credits: 800, noticeAt: 80, stopAtLimit: false } as const;
  const sentLimit = { credits: 500, noticeAt: 80, stopAtLimit: false } as const;
  const target = { ...AGENT, currency: CURRENCY };

  it.each([
    ['stop', 'none', 'no limit, because none is known here'],
    ['run', 'none', 'no limit, because none is known here'],
    ['stop', policyLimit, '800 credits'],
    ['run', policyLimit, '800 credits'],
  ] as const)('%s says which limit is sent with it: %j', async (what, limit, words) => {
    const world = aWorld();
    world.service.thresholds = 'not_offered';
    if (limit !== 'none') {
      await world.approve(setEdit('limit', target, policyLimit));
      await world.send(AGENT, { limit: sentLimit, stopped: what === 'run', at: 0 });
    }

    const view = await world.give(what, 'travel');
    await world.submit(STOP_FORMS[what], view, { reason: REASON });

    expect(textOf(view)).toContain(`The service takes this only with a limit: ${words}`);
    expect(plans(world)[0]?.items).toMatchObject([{ after: { limit } }]);
    await Promise.all(world.background);
  });
});

describe('running again', () => {
  it('of an environment gives back exactly what was there', async () => {
    const world = withAgents(aWorld(), 3);
    world.service.thresholds = ['a1', 'a2', 'a3'].map((resourceId) => aThreshold({ resourceId, stopResource: true }));
    await world.approve(setEdit('stop', ENVIRONMENT, true), setEdit('stop', { ...ENVIRONMENT, agentId: 'a3' }, true));

    const view = await world.give('run', 'env:env-1');
    await world.submit(run, view, { reason: REASON });

    expect(view?.submit?.text).toBe('Run 2 again');
    expect(textOf(view)).toContain('Stopped individually, and stay stopped: Bot 3');
    // Two at once are looked at first.
    expect(textOf(world.shown.at(-1))).toContain('Bot 2');
    expect(textOf(world.shown.at(-1))).not.toContain('Bot 3');
  });
});
