import { checkView } from '@assistant-bridge/sandbox/slack/blocks/check-view.ts';
import { describe, expect, it } from 'vitest';
import { CLASS_FORM, openClassForm } from '../../../src/governance/forms/class-form.ts';
import { CREDITS_FORM } from '../../../src/governance/forms/credits-form.ts';
import { setEdit } from '../../../src/policy/edit.ts';
import { aCurrency, aThreshold, CURRENCY } from '../samples.ts';
import { aWorld, initialOf, REASON, textOf } from '../world.ts';

const TARGET = { environmentId: 'env-1', currency: CURRENCY };
const ENVIRONMENT = { environmentId: 'env-1' };
const OFF = { alert: 'off', tenantpool: 'off', paygo: 'off', deny: 'off' };
const RULES = { Alert: false, TenantPool: false, PayGo: false, Deny: false };

describe('the window of credits', () => {
  it('says what is there now, and what goes along as it is', async () => {
    const world = aWorld();
    const other = { ruleType: 'Throttle', enabled: true, others: {} };
    const currencyAllocations = [aCurrency({ enforcementRules: [other] }), aCurrency({ currencyType: 'Images' })];
    world.service.allocations.set('env-1', { environmentId: 'env-1', currencyAllocations });
    const consumptionType = 'MonthToDate';
    world.service.entitlements.set('env-1', [{ entitlementId: CURRENCY, consumed: 1_234, consumptionType } as never]);

    const view = await world.give('credits', 'contoso 6,000');

    const text = textOf(view);
    expect(text).toContain('Now: 5,000 credits · used 1,234 this month');
    expect(text).toContain('Kept as it is: Throttle, Images');
    expect([initialOf(view, 'allocated'), view?.submit?.text]).toEqual(['6,000', 'Set credits']);
    expect(checkView({ ...view } as never, 'modal')).toEqual([]);
  });

  it('chooses nothing beforehand where a rule is not shown: all four are chosen', async () => {
    const world = aWorld();
    const view = await world.give('credits', 'env-1');

    const errors = await world.submit(CREDITS_FORM, view, { allocated: '1.5', reason: REASON });

    expect([initialOf(view, 'alert'), initialOf(view, 'deny')]).toEqual(['on', undefined]);
    expect(errors).toEqual({
      allocated: expect.stringContaining('whole number'),
      tenantpool: expect.any(String),
      paygo: expect.any(String),
      deny: expect.any(String),
    });
  });

  it.each([
    ['5k', 'not a number'],
    ['-5', 'cannot be negative'],
  ])('says what is wrong with %s', async (amount, words) => {
    expect(textOf(await aWorld().give('credits', `contoso ${amount}`))).toContain(words);
  });

  it('sets the credits of an environment without an allocation', async () => {
    const world = aWorld();
    world.service.allocations.set('env-1', 'none');

    const view = await world.give('credits', 'env-1 100');
    const errors = await world.submit(CREDITS_FORM, view, { ...OFF, reason: REASON });

    expect([textOf(view).includes(`no credits in ${CURRENCY}`), errors]).toEqual([true, {}]);
    expect(world.confirmed).toMatchObject([
      {
        proposal: {
          plan: {
            edits: [setEdit('credits', TARGET, { allocated: 100, rules: RULES })],
            items: [{ before: {}, after: { [CURRENCY]: { allocated: 100, rules: RULES } }, way: 'more' }],
          },
        },
      },
    ]);
  });

  it('is shown first where all agents would stop at once, or money is spent', async () => {
    const world = aWorld();
    world.service.entitlements.set('env-1', [{ entitlementId: CURRENCY, consumed: 4_000 } as never]);
    const submit = async (values: Record<string, string>) => {
      const view = await world.give('credits', 'env-1');
      await world.submit(CREDITS_FORM, view, { ...OFF, ...values, reason: REASON });
      return textOf(world.shown.at(-1));
    };

    expect(await submit({ allocated: '3000', deny: 'on' })).toContain('4,000 are used already. All agents there stop');
    expect(await submit({ paygo: 'on' })).toContain('billed to the subscription');
    expect(world.confirmed).toEqual([]);
  });

  it('says which environment is meant where two have the same name', async () => {
    const world = aWorld();
    world.service.environments.push({ name: 'env-2', displayName: 'Contoso Production', ownerId: 'owner-ana' });

    const text = textOf(await world.give('credits', 'contoso production'));

    expect(text).toContain('env-1 · owner owner-kim');
    expect(text).toContain('env-2 · owner <@U0ANA>');
  });
});

describe('the window of a class', () => {
  const standard = { limit: { credits: 500, noticeAt: 80, stopAtLimit: false }, credits: {} } as const;
  const environments = [{ environmentId: 'env-1', name: 'Contoso <Production>' }];

  it('says what each class says, and is an edit for each environment', async () => {
    const world = aWorld();
    world.service.thresholds = [aThreshold({ limit: 500 })];
    await world.approve(setEdit('standard', { className: 'maker' }, standard));

    await openClassForm(world.opened, environments, 'Maker', world.services);
    const view = world.shown.at(-1);
    const errors = await world.submit(CLASS_FORM, view, { reason: REASON });

    expect([textOf(view).includes('*maker*: each agent: 500 credits'), initialOf(view, 'class')]).toEqual([
      true,
      'maker',
    ]);
    expect(errors).toEqual({});
    expect(world.confirmed).toMatchObject([
      { proposal: { plan: { edits: [setEdit('class', ENVIRONMENT, 'maker')], items: [] } } },
    ]);
  });

  it('is followed by the plan where it changes something at the service, be it one agent', async () => {
    const world = aWorld();
    await world.approve(setEdit('standard', { className: 'maker' }, standard));

    await openClassForm(world.opened, environments, 'maker', world.services);
    await world.submit(CLASS_FORM, world.shown.at(-1), { reason: REASON });

    expect(world.confirmed).toEqual([]);
    expect(textOf(world.shown.at(-1))).toContain('limit 1,000 credits → 500 credits');
  });

  it('asks for a class, and says where the policy has none', async () => {
    const world = aWorld();
    await openClassForm(world.opened, environments, undefined, world.services);
    await world.approve(setEdit('standard', { className: 'maker' }, standard));
    await openClassForm(world.opened, environments, 'gone', world.services);

    const errors = await world.submit(CLASS_FORM, world.shown.at(-1), { reason: REASON });

    expect(world.problems).toEqual([expect.stringContaining('no class yet')]);
    expect(errors).toEqual({ class: 'Choose a class.' });
  });
});
