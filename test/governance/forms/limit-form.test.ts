import { checkView } from '@assistant-bridge/sandbox/slack/blocks/check-view.ts';
import { describe, expect, it } from 'vitest';
import { AdminRejectedError, AdminUnreachableError } from '../../../src/admin-api/admin-errors.ts';
import { LIMIT_FORM, openLimitForm } from '../../../src/governance/forms/limit-form.ts';
import { submitForm } from '../../../src/governance/run/kept-form.ts';
import { setEdit } from '../../../src/policy/edit.ts';
import { aCurrency, anAgent, aThreshold, CURRENCY } from '../samples.ts';
import { aWorld, initialOf, REASON, textOf, within } from '../world.ts';

const TARGET = { environmentId: 'env-1', agentId: 'a1', currency: CURRENCY };
const AGENT = { environmentId: 'env-1', agentId: 'a1' };
const AGENT_OF_WINDOW = {
  ...AGENT,
  ...{ resourceId: 'a1', name: 'Travel Planner', environmentName: undefined, ownerId: undefined, isHarness: false },
};

describe('the window of a limit', () => {
  it('says in one window what is there now, and what the policy says and why', async () => {
    const world = aWorld();
    const limit = { credits: 500, noticeAt: 80, stopAtLimit: true } as const;
    await world.approve(
      setEdit('standard', { className: 'maker' }, { limit, credits: {} }),
      setEdit('class', { environmentId: 'env-1' }, 'maker'),
      setEdit('limit', TARGET, { ...limit, credits: 1_000 }, '2026-12-31'),
    );

    const view = await world.give('limit', 'travel 2,000');

    const text = textOf(view);
    expect(text).toContain('*Travel Planner* in Contoso Production · owner <@U0ANA>');
    expect(text).toContain('Now: 1,000 credits · notice at 80 % · goes on at the limit · runs · used 190 this month');
    expect(text).toContain('Class: maker, each agent: 500 credits');
    expect(text).toContain(
      `Policy: *1,000 credits · notice at 80 % · stops at the limit* _(exception through 31 Dec 2026)_ by <@U0KIM> on 24 Nov 2026: “${REASON}”`,
    );
    expect([initialOf(view, 'limit'), initialOf(view, 'notice_at')]).toEqual(['2,000', '80']);
    expect([view?.submit?.text, checkView({ ...view } as never, 'modal')]).toEqual(['Set limit', []]);
  });

  it.each(['5k', '-5', "1'000", '1.000,00', '+5', '$20'])(
    'opens where %s is no number, and says so',
    async (amount) => {
      const view = await aWorld().give('limit', `travel ${amount}`);

      expect(textOf(view)).toContain(`“${amount}” is not a number of credits, for example 5000`);
      expect(initialOf(view, 'limit')).toBe(amount);
    },
  );

  it('says that no agent fits, and which of several is meant', async () => {
    const world = aWorld();
    world.service.agents = [anAgent(), anAgent({ name: 'a2', environmentId: 'env-2', ownerId: undefined })];
    world.service.environments.push({ name: 'env-2', displayName: 'Contoso Production', ownerId: undefined });

    await world.give('limit', 'nobody 5');
    const choice = textOf(await world.give('limit', 'travel planner 800'));

    expect(world.problems).toEqual([expect.stringContaining('No agent fits “nobody”')]);
    expect(choice).toContain('a1 · environment env-1 · owner <@U0ANA>');
    expect(choice).toContain('a2 · environment env-2 · no owner');
    expect(choice).toContain('800');
    world.service.agents = [];
    await world.give('limit', 'travel');
    expect(world.problems.at(-1)).toContain('lists no agents for your account');
    world.service.agents = Array.from({ length: 25 }, (_, nth) => anAgent({ name: `a${nth}` }));
    expect(textOf(await world.give('limit', 'travel'))).toMatch(/25 agents fit.*a19 .*And 5 more: give the command/);
  });

  it('offers the other currencies of the environment', async () => {
    const world = aWorld();
    const currencyAllocations = [aCurrency(), aCurrency({ currencyType: 'Images' })];
    world.service.allocations.set('env-1', { environmentId: 'env-1', currencyAllocations });

    expect(textOf(await world.give('limit', 'a1'))).toContain('"value":"Images"');
  });

  it.each<[string, 'not_offered' | Error]>([
    ['offers no read of limits', 'not_offered'],
    ['refuses to read them', new AdminRejectedError('read thresholds', 'no')],
    ['does not answer', new AdminUnreachableError('read thresholds')],
  ])('opens where the service %s, and asks whether the agent is stopped', async (_, thresholds) => {
    const world = aWorld();
    world.service.thresholds = thresholds;

    const view = await world.give('limit', 'a1 500');
    const errors = await world.submit(LIMIT_FORM, view, { reason: REASON });
    await world.submit(LIMIT_FORM, view, { reason: REASON, is_stopped: 'runs' });

    expect(errors).toEqual({ is_stopped: expect.stringContaining('Choose one') });
    const [{ proposal } = { proposal: undefined }] = world.confirmed;
    expect(proposal?.plan.edits).toEqual([
      setEdit('limit', TARGET, { credits: 500, noticeAt: 80, stopAtLimit: false }),
      setEdit('stop', AGENT, false),
    ]);
    expect(proposal?.plan.items).toMatchObject([
      { before: 'unknown', after: { limit: { credits: 500 }, stopped: false } },
    ]);
  });

  it('opens soon where the service answers nothing, with what is known from before', async () => {
    const world = aWorld();
    await world.remember();
    world.service.hanging = ['agents', 'environments', 'thresholds', 'allocation'];
    Object.assign(world.services, { owners: { findUser: () => new Promise(() => undefined) } });

    const view = await within(5_000, () => world.give('limit', 'travel 500'));

    expect(textOf(view)).toContain('Now: unknown, it could not be read');
    expect([initialOf(view, 'limit'), view?.submit?.text]).toEqual(['500', 'Set limit']);
  });
});

describe('a limit that is submitted', () => {
  it.each([
    ['none', 'none'],
    ['No limit', 'none'],
    ['0', { credits: 0, noticeAt: 80, stopAtLimit: false }],
  ])('is %s', async (limit, value) => {
    const world = aWorld();

    await world.submit(LIMIT_FORM, await world.give('limit', 'a1'), { limit, reason: REASON });

    expect(world.confirmed[0]?.proposal.plan.edits).toEqual([setEdit('limit', TARGET, value as never)]);
  });

  it('names every wrong field at once', async () => {
    const world = aWorld();
    const values = { limit: '5k', notice_at: '101', until: '2026-11-23', reason: 'short' };

    const errors = await world.submit(LIMIT_FORM, await world.give('limit', 'a1'), values);

    expect(errors).toEqual({
      limit: expect.stringMatching(/^This is not a number.*for example 1000/),
      notice_at: expect.stringContaining('0 to 100'),
      until: expect.stringContaining('over'),
      reason: expect.stringContaining('at least 10'),
    });
    expect(world.confirmed).toEqual([]);
  });

  it('is shown first where what the window showed cannot be read any more', async () => {
    const world = aWorld();
    await world.send(AGENT, { limit: 'none', stopped: false, at: world.services.now() });
    const view = await world.give('limit', 'a1 500');
    world.service.thresholds = new AdminUnreachableError('read thresholds');

    await world.submit(LIMIT_FORM, view, { reason: REASON });

    expect(world.confirmed).toEqual([]);
    expect(textOf(world.shown.at(-1))).toContain('If somebody has stopped it elsewhere, it runs again.');
  });

  it('is in the currency of the window, and keeps what is typed out of the others', async () => {
    const world = aWorld();
    world.service.thresholds = [aThreshold()];
    await openLimitForm({ ...AGENT_OF_WINDOW, currency: 'Images' }, world.opened, world.services);

    const errors = await world.submit(LIMIT_FORM, world.shown.at(-1), { 'limit:Images': '5k', reason: REASON });

    expect(errors).toHaveProperty(['limit:Images']);
  });

  it('in another currency lets no agent run that is stopped', async () => {
    const world = aWorld();
    const readThresholds = async (currency?: string) =>
      currency === 'Images' ? [] : [aThreshold({ stopResource: true })];
    Object.assign(world.session, { readThresholds });
    await openLimitForm({ ...AGENT_OF_WINDOW, currency: 'Images' }, world.opened, world.services);
    const view = world.shown.at(-1);

    await world.submit(LIMIT_FORM, view, { 'limit:Images': '50', reason: REASON });

    expect(textOf(view)).toContain('Now: no limit · *stopped*');
    expect(world.confirmed).toEqual([]);
    expect(textOf(world.shown.at(-1))).toContain('a limit in this currency might let it run');
  });

  it('says where the window is too old', async () => {
    const world = aWorld();
    const { answer } = await submitForm(LIMIT_FORM, world.toSubmission(undefined, {}), world.services);

    expect(textOf((answer as { view?: never }).view)).toContain('too old');
  });
});
