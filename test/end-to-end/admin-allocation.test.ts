import { DatabaseSync } from 'node:sqlite';
import type { AdminFault } from '@assistant-bridge/sandbox/admin/faults.ts';
import { CURRENCY } from '@assistant-bridge/sandbox/admin/model.ts';
import { SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import type { Json } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { awaitModal, closeModals, nextPrivate, readPrivate } from '../app/administer.ts';
import { KIM, WHY } from './admin-world.ts';
import { type AllocationWorld, forge, ODD, readChanges, ruleOf, startAllocationWorld } from './allocation-world.ts';

const [PRODUCTION = '', MAKERS = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

let world: AllocationWorld;

beforeAll(async () => {
  world = await startAllocationWorld();
});
beforeEach(() => world.reset());
afterAll(() => world.stop());

const kim = () => world.slack.as(KIM);
const held = (environment: string) => world.admin.state.allocations.get(environment);

/** What somebody else sets meanwhile, in a console. */
function setElsewhere(environment: string, allocated: number): void {
  const current = held(environment);
  if (!current) throw new Error('the seeds are others');
  const currencyAllocations = current.currencyAllocations.map((one) =>
    one.currencyType === CURRENCY ? { ...one, allocated } : one,
  );
  world.admin.state.allocations.set(environment, { ...current, currencyAllocations });
}

describe('finding the environment', () => {
  it('opens a modal at once, however long the service takes', async () => {
    world.admin.faults.next('delay', { on: 'query', ms: 700 });

    const { error } = await kim().command('/assistant-admin', 'allocation contoso prod', 'C0GENERAL');
    const loading = await world.slack.until(() => kim().openView());
    const form = await awaitModal(world, KIM, 'admin_allocation');

    expect(error).toBeUndefined();
    expect(world.slack.render(loading)).toContain('Looking up the environment and its credits…');
    expect(world.slack.render(form)).toContain('*Contoso Production*');
  });

  it.each([`Ana's "Makers" lab`, `“Makers”`, `ana’s`, MAKERS, MAKERS.slice(0, 12)])('by %s', async (text) => {
    expect(world.slack.render(await world.open(text))).toContain(`*Ana's "Makers" lab*`);
  });

  it('asks which one is meant where several fit, and says where one has no allocation', async () => {
    const choice = await world.open('contoso');
    const shown = world.slack.render(choice);
    const values = choice.blocks.map(({ accessory }) => (accessory as Json | undefined)?.value as string | undefined);

    const other = values.find((value) => value?.includes('Default-'));
    const button = choice.blocks.find(({ accessory }) => (accessory as Json | undefined)?.value === other);
    await world.slack.deliver(
      {
        ...forge('block_actions', KIM),
        view: { id: choice.id, private_metadata: choice.privateMetadata },
        container: { type: 'view', view_id: choice.id },
        actions: [{ ...(button?.accessory as Json), block_id: 'b', action_ts: '1.1' }],
      },
      { kind: 'interaction' },
    );
    const modal = await awaitModal(world, KIM, 'admin_allocation_problem');

    expect(shown).toContain('2 environments fit “contoso”. Which one do you mean?');
    expect(shown).toContain(`Id ${PRODUCTION} [Allocation…]`);
    expect(world.slack.render(modal)).toContain('The service has no allocation of “Contoso (default)”');
  });

  it('says where none fits, whatever was typed', async () => {
    for (const text of ['<!channel> nobody', `x' or 1 == 1`, `"it's nowhere"`]) {
      const modal = world.slack.render(await world.open(text));
      expect(modal).toContain('No environment fits “');
      expect(modal).toContain('/assistant-admin environments');
      await closeModals(world, KIM);
    }
    world.admin.faults.always('truncated', { on: 'query' });
    expect(world.slack.render(await world.open('nobody'))).toContain('did not list everything');
    expect(world.slack.workspace.notifications).toEqual([]);
  });

  it('finds, reads and sets one with quotes in its id', async () => {
    const form = await world.open(ODD);
    const rules = { alert_0: 'On', tenantpool_0: 'Off', paygo_0: 'Off', deny_0: 'On' };

    const outcome = await world.set(form, { allocated_0: '6', ...rules });

    expect(outcome).toContain('*Verified*: the allocation of *Odd one* is set');
    expect(world.creditsOf(ODD)?.allocated).toBe(6);
  });

  it.each<[AdminFault, string]>([
    ['403', 'does not allow this to your account'],
    ['429-seconds', 'has too much to do. Try again in 30 seconds.'],
    ['html', 'does not answer at the moment'],
    ['not-json', 'in a way this app cannot read'],
    ['reset', 'does not answer at the moment'],
    ['404', 'has no allocation of “Contoso Production”'],
  ])('turns %s into a sentence', async (fault, sentence) => {
    world.admin.faults.always(fault, { on: 'read-allocation', retryAfterS: 30 });

    const modal = world.slack.render(await world.open('Contoso Production'));

    expect(modal).toContain(sentence);
  });

  it('shows the allocation where what is used cannot be read', async () => {
    world.admin.faults.always('500', { on: 'read-entitlements' });

    const form = world.slack.render(await world.open('Contoso Production'));

    expect(form).toContain('25,000 credits allocated');
    expect(form).toContain('What is used of it could not be read.');
  });
});

describe('setting an allocation', () => {
  it('shows what is there, old → new, and sends all of it back', async () => {
    const form = await world.open('Contoso Production');
    const shown = world.slack.render(form);
    const confirmation = await world.review(form, { allocated_0: '30,000', paygo_0: 'On' });
    const plan = world.slack.render(confirmation);
    const untouched = world.creditsOf(PRODUCTION)?.allocated;
    const count = readPrivate(world, KIM).length;

    const { view } = await kim().submit(confirmation, WHY);
    const message = world.slack.render(await nextPrivate(world, KIM, count));

    expect(shown).toContain('*ServiceMessages*: 25,000 credits allocated; automatically: 500');
    expect(shown).toContain('Used: 18,250 of 25,000 (73 %)');
    expect(shown).toContain('Kept as it is: Throttle (on)');
    expect(shown).toContain('*AI*: 10 credits allocated');
    expect(shown).toContain('Draw on the tenant pool: platform default');
    expect(plan).toContain('Allocated: 25,000 credits → *30,000 credits*');
    expect(plan).toContain('Pay as you go: off → *on*');
    expect(plan).toContain('Draw on the tenant pool: on (unchanged)');
    expect(plan).toContain('This allows more to be spent than before.');
    expect(plan).toContain('Sent along exactly as it is now: the currency AI, and the rule Throttle.');
    expect(untouched).toBe(25_000);
    expect(view && world.slack.render(view)).toContain('Setting the allocation of *Contoso Production*…');
    expect(message).toContain('*Verified*: the allocation of *Contoso Production* is set, and was read back.');
    expect(await world.readOutcomeModal()).toContain('*Verified*');
    const rule = (ruleType: string, enabled: boolean) => ({ ruleType, enabled });
    expect(world.admin.ledger.requests.find(({ method }) => method === 'PATCH')?.body).toEqual({
      environmentId: PRODUCTION,
      currencyAllocations: [
        {
          currencyType: CURRENCY,
          allocated: 30_000,
          costCentre: 'CC-4711',
          enforcementRules: [
            ...[rule('Alert', true), rule('TenantPool', true), rule('PayGo', true), rule('Deny', true)],
            { ruleType: 'Throttle', enabled: true, percent: 90 },
          ],
        },
        { currencyType: 'AI', allocated: 10, enforcementRules: [rule('Alert', true), rule('Deny', false)] },
      ],
    });
  });

  it('keeps the reason with the change, and asks for one that says something', async () => {
    const confirmation = await world.review(await world.open('Contoso Production'), { allocated_0: '30001' });

    const { errors } = await kim().submit(confirmation, { reason: 'because' });
    const outcome = await world.confirm(confirmation);

    expect(errors.reason).toContain('Say why, in at least 10 characters');
    expect(outcome).toContain('Verified');
    expect(readChanges(world).at(-1)).toMatchObject({
      ...{ kind: 'allocation', user: KIM, reason: WHY.reason, environmentId: PRODUCTION },
      outcome: { kind: 'verified', written: 'yes' },
    });
  });

  it('sets the credits of another currency, and asks about rules that the platform decides', async () => {
    const form = await world.open('Contoso Production');
    await kim().clickInView(form, 'admin_allocation_currency', 'AI');
    const other = await world.slack.until(() => {
      const view = kim().openView();
      return view && world.slack.render(view).includes('Set the credits of *AI*') ? view : undefined;
    });

    const { errors } = await kim().submit(other, { allocated_1: '12' });
    const outcome = await world.set(other, { tenantpool_1: 'Off', paygo_1: 'Off' });

    expect(world.slack.render(other)).toContain("Now it is the platform's default");
    expect(errors).toEqual({ tenantpool_1: 'This field is required.', paygo_1: 'This field is required.' });
    expect(outcome).toContain('Verified');
    expect(world.creditsOf(PRODUCTION, 'AI')).toMatchObject({ allocated: 12 });
    expect(world.creditsOf(PRODUCTION)).toEqual(world.seeds.get(PRODUCTION)?.currencyAllocations[0]);
  });

  it.each([
    ['-5', 'Credits cannot be negative'],
    ['12.5', 'Enter a whole number without a fraction'],
    ['lots', 'Enter digits only'],
    ['99999999999999999999', 'This is too large'],
  ])('refuses %s at its field', async (allocated, sentence) => {
    const form = await world.open('Contoso Production');

    const { errors } = await kim().submit(form, { allocated_0: allocated });

    expect(errors.allocated_0).toContain(sentence);
    expect(world.countWrites()).toBe(0);
  });

  it('warns of what stops running agents', async () => {
    const form = await world.open('Contoso Production');

    const plan = world.slack.render(await world.review(form, { allocated_0: '18000', tenantpool_0: 'Off' }));

    expect(plan).toContain('18,250 are used already: all agents of this environment stop at once, for everybody.');
    expect(plan).toContain('gets none of the tenant pool any more');
  });

  it('has nothing to confirm where nothing changes', async () => {
    const plan = await world.review(await world.open('Contoso Production'), {});

    expect(world.slack.render(plan)).toContain('This is what is set already: there is nothing to change.');
    expect(plan.submit).toBeUndefined();
  });

  it('writes once where the confirmation is sent twice, and both say how it ended', async () => {
    const confirmation = await world.review(await world.open('Contoso Production'), { allocated_0: '30002' });
    const count = readPrivate(world, KIM).length;

    await Promise.all([kim().submit(confirmation, WHY), kim().submit(confirmation, WHY)]);
    await nextPrivate(world, KIM, count);
    await world.slack.until(() => world.slack.ledger.calls('views.update').length > 0);
    await new Promise((resolve) => setTimeout(resolve, 1_000));

    expect(world.countWrites()).toBe(1);
    expect(readPrivate(world, KIM).slice(count)).toHaveLength(1);
    expect(await world.readOutcomeModal()).toContain('Verified');
  });

  it('may or may not be set where the service reports an internal error, which is no silence', async () => {
    world.admin.faults.next('500', { on: 'write-allocation' });
    const confirmation = await world.review(await world.open('Contoso Production'), { allocated_0: '30003' });
    const count = readPrivate(world, KIM).length;

    await kim().submit(confirmation, WHY);
    const outcome = world.slack.render(await nextPrivate(world, KIM, count));

    expect(outcome).toContain('The service answered with an error that does not say');
    expect(outcome).not.toContain('in time');
  });

  it('stops with both values where somebody else changed it meanwhile', async () => {
    const confirmation = await world.review(await world.open('Contoso Production'), { allocated_0: '30003' });
    setElsewhere(PRODUCTION, 7);

    const outcome = await world.confirm(confirmation);

    expect(outcome).toContain('*Conflict*: somebody changed the allocation of *Contoso Production*');
    expect(outcome).toContain('ServiceMessages, Allocated: expected 25,000 credits, found *7 credits*');
    expect(outcome).toContain('Nothing was changed.');
    expect([world.creditsOf(PRODUCTION)?.allocated, world.countWrites()]).toEqual([7, 0]);
  });

  it.each<[AdminFault, string]>([
    ['403', 'does not allow this to your account'],
    ['404', 'does not know this agent or environment'],
    ['429-date', 'has too much to do'],
    ['400', 'refused this. It says: The request is invalid.'],
  ])('says that nothing was changed where the service answers %s', async (fault, sentence) => {
    const form = await world.open('Contoso Production');
    world.admin.faults.next(fault, { on: 'write-allocation' });

    const outcome = await world.set(form, { allocated_0: '30004' });

    expect(outcome).toContain('*Failed*: the allocation of *Contoso Production* was not changed.');
    expect(outcome).toContain(sentence);
    expect(held(PRODUCTION)).toEqual(world.seeds.get(PRODUCTION));
  });

  it('says that nothing was changed where what is there cannot be read any more', async () => {
    const confirmation = await world.review(await world.open('Contoso Production'), { allocated_0: '30005' });
    world.admin.faults.next('not-json', { on: 'read-allocation' });

    const outcome = await world.confirm(confirmation);

    expect(outcome).toContain('*Failed*');
    expect(outcome).toContain('in a way this app cannot read');
    expect(world.countWrites()).toBe(0);
  });

  it.each<[AdminFault, string]>([
    ['html', '*Applied, not verified*: the allocation of *Contoso Production* may or may not be set'],
    ['reset-after-processing', '*Verified*'],
  ])('looks what became of a write whose answer was lost (%s)', async (fault, sentence) => {
    const form = await world.open('Contoso Production');
    world.admin.faults.next(fault, { on: 'write-allocation' });

    expect(await world.set(form, { allocated_0: '30006' })).toContain(sentence);
    expect(world.countWrites()).toBe(1);
  });

  it('says who decides a rule that a policy governs, and sets the rest where that rule stays', async () => {
    const off = { tenantpool_0: 'Off' };
    const refused = await world.set(await world.open('Makers'), { allocated_0: '900', ...off });
    await closeModals(world, KIM);

    const outcome = await world.set(await world.open('Makers'), { allocated_0: '900', tenantpool_0: 'On' });

    expect(refused).toContain('*Failed*');
    expect(refused).toContain("A policy of the environment's group decides this rule");
    expect(outcome).toContain('Verified');
    expect(ruleOf(world.creditsOf(MAKERS), 'TenantPool')).toBe(true);
  });

  it('says so where the plan is too old, or was never made', async () => {
    const form = await world.open('Contoso Production');
    const confirmation = await world.review(form, { allocated_0: '30007' });
    const database = new DatabaseSync(world.environment.SQLITE_PATH ?? '');
    database.exec("DELETE FROM documents WHERE key LIKE 'once:plan:%' OR key LIKE 'once:allocation:%'");
    database.close();

    const { view } = await kim().submit(confirmation, WHY);
    const shown = view && world.slack.render(view);
    await closeModals(world, KIM);

    expect(shown).toContain('This window is too old, so nothing was changed.');
    expect(world.countWrites()).toBe(0);
  });
});
