// *Correct…* and *Correct all … at once…* under the report of a review: the real app against the stand-ins.

import { toThresholdKey } from '@assistant-bridge/sandbox/admin/model.ts';
import { createAdminState } from '@assistant-bridge/sandbox/admin/seeds.ts';
import type { Entries } from '@assistant-bridge/sandbox/slack/people/modal.ts';
import type { View } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { awaitModal } from '../app/administer.ts';
import { KIM } from './admin-world.ts';
import {
  EXAMPLE,
  MAKERS,
  PRODUCTION,
  type ReviewActionsWorld,
  startReviewActionsWorld,
} from './review-actions-world.ts';

let world: ReviewActionsWorld;

beforeAll(async () => {
  world = await startReviewActionsWorld();
});
beforeEach(() => world.reset());
afterAll(() => world.stop());

const kim = () => world.slack.as(KIM);
const render = (view: View) => world.slack.render(view);
const allocationOf = (environmentId: string) => world.admin.state.allocations.get(environmentId);
const seedOf = (environmentId: string) => createAdminState().allocations.get(environmentId);
const limitOf = (environmentId: string, bot: string) =>
  world.admin.state.thresholds.get(toThresholdKey(environmentId, bot));
const countWrites = () => world.admin.ledger.count(({ method }) => method === 'PATCH' || method === 'PUT');

/** Confirms with the reason that is filled in, and returns the message about the outcome. */
async function confirm(confirmation: View): Promise<string> {
  const count = world.readDirect().length;
  await kim().submit(confirmation);
  const outcome = await world.slack.until(() => world.readDirect()[count]);
  return world.slack.render(outcome);
}

describe('Correct… of an environment', () => {
  it('brings back what is approved, keeps everything else verbatim, and the next review is in order', async () => {
    world.turnRule(PRODUCTION, 'Deny', false);
    world.setCredits(PRODUCTION, 40_000);
    const report = await world.review();

    const plan = await world.press(report, 'Correct…', 'admin_allocation_confirm');
    const outcome = await confirm(plan);

    expect(render(plan)).toContain('Allocated: 40,000 credits → *25,000 credits*');
    expect(render(plan)).toContain('Deny when used up: off → *on*');
    expect(render(plan)).toMatch(/Drift found by the review of \d+ \w+ \d{4}: back to what the register approves\./);
    expect(outcome).toContain('*Verified*');
    expect(allocationOf(PRODUCTION)).toEqual(seedOf(PRODUCTION));
    expect(world.slack.render(await world.review())).toContain('everything is as approved');
  });

  it('brings back only the settings that are chosen', async () => {
    world.turnRule(PRODUCTION, 'Deny', false);
    world.setCredits(PRODUCTION, 40_000);
    const plan = await world.press(await world.review(), 'Correct…', 'admin_allocation_confirm');

    await kim().clickInView(plan, 'Choose settings…');
    const choice = await awaitModal(world, KIM, 'admin_review_correct_settings');
    await kim().submit(choice, { settings_0: ['Deny when used up (ServiceMessages)'] });
    const narrowed = await awaitModal(world, KIM, 'admin_allocation_confirm');
    const outcome = await confirm(narrowed);

    expect(render(choice)).toContain('Allocated credits (ServiceMessages)');
    expect(render(narrowed)).toContain('You left it out, so it stays.');
    expect(render(narrowed)).toContain('Deny when used up: off → *on*');
    expect(outcome).toContain('*Verified*');
    expect(allocationOf(PRODUCTION)?.currencyAllocations[0]?.allocated).toBe(40_000);
    expect(world.slack.render(await world.review())).toContain('found *40,000*');
  });

  it('is not offered for confirmation where not all that changes could be shown', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `Currency${index}`);
    const rules = '{ Alert: on, TenantPool: off, PayGo: off, Deny: on }';
    const blocks = names.map((name) => `      ${name}:\n        allocated: 1\n        rules: ${rules}\n`).join('');
    const own = '    allocations:\n      ServiceMessages:\n        allocated: 25000\n';
    world.writeRegister(EXAMPLE.replace(own, own.replace('allocations:\n', `allocations:\n${blocks}`)));
    const allocation = allocationOf(PRODUCTION);
    if (!allocation) throw new Error('no allocation');
    const enforcementRules = ['Alert', 'TenantPool', 'PayGo', 'Deny'].map((ruleType) => ({
      ruleType,
      enabled: ruleType === 'Alert' || ruleType === 'Deny',
    }));
    const more = names.map((currencyType) => ({ currencyType, allocated: 9, autoAllocated: 0, enforcementRules }));
    const currencyAllocations = [...allocation.currencyAllocations, ...more];
    world.admin.state.allocations.set(PRODUCTION, { ...allocation, currencyAllocations });
    const report = await world.review();

    const problem = await world.press(report, 'Correct…', 'admin_review_correct_problem');

    expect(render(problem)).toContain('it cannot be shown whole');
    expect(countWrites()).toBe(0);
  });

  it('says that nothing is to be done where somebody has mended it', async () => {
    world.turnRule(PRODUCTION, 'Deny', false);
    const report = await world.review();
    world.turnRule(PRODUCTION, 'Deny', true);

    const notice = await world.press(report, 'Correct…', 'admin_review_correct_notice');

    expect(render(notice)).toContain(
      '*Contoso Production*: it is as the register approves by now. There is nothing to be done.',
    );
    expect(countWrites()).toBe(0);
  });

  it('compares with the register as it is now, and says that it was changed', async () => {
    world.turnRule(PRODUCTION, 'Deny', false);
    const report = await world.review();
    world.writeRegister(EXAMPLE.replace('allocated: 25000', 'allocated: 26000'));

    const plan = render(await world.press(report, 'Correct…', 'admin_allocation_confirm'));

    expect(plan).toContain("The register's file was changed since this review");
    expect(plan).toContain('Allocated: 25,000 credits → *26,000 credits*');
  });

  it('says to review again where the register cannot be understood any more', async () => {
    world.turnRule(PRODUCTION, 'Deny', false);
    const report = await world.review();
    world.writeRegister('schema: 7');

    const problem = await world.press(report, 'Correct…', 'admin_review_correct_problem');

    expect(render(problem)).toContain('Something is wrong with the register by now');
  });

  it('asks about the rule that the register leaves to the platform', async () => {
    world.turnRule(MAKERS, 'Alert', false);
    const report = await world.review();
    const question = await world.press(report, 'Correct…', 'admin_review_correct_choice');
    const asked = render(question);

    const unanswered = await kim().submit(question);
    await kim().submit(question, { 'Draw on the tenant pool (ServiceMessages)': 'On' });
    const outcome = await confirm(await awaitModal(world, KIM, 'admin_allocation_confirm'));

    expect(asked).toContain('Draw on the tenant pool (ServiceMessages): ( ) On  ( ) Off');
    expect(unanswered.sent).toBe(false);
    expect(outcome).toContain('*Verified*');
    expect(allocationOf(MAKERS)?.currencyAllocations[0]?.enforcementRules).toContainEqual({
      ruleType: 'Alert',
      enabled: true,
    });
  });

  it('says what it leaves as it is, and why', async () => {
    world.turnRule(PRODUCTION, 'Deny', false);
    const allocation = allocationOf(PRODUCTION);
    if (allocation) {
      const enforcementRules = [{ ruleType: 'Alert', enabled: true }];
      const other = { currencyType: 'PayAsYouLike', allocated: 7, autoAllocated: 0, enforcementRules };
      const currencyAllocations = [...allocation.currencyAllocations, other];
      world.admin.state.allocations.set(PRODUCTION, { ...allocation, currencyAllocations });
    }
    const report = await world.review();

    const plan = await world.press(report, 'Correct…', 'admin_allocation_confirm');
    const outcome = await confirm(plan);

    expect(render(plan)).toContain('Left as it is:');
    expect(render(plan)).toContain('The register does not approve this currency');
    expect(outcome).toContain('*Verified*');
    expect(allocationOf(PRODUCTION)?.currencyAllocations.at(-1)).toMatchObject({ allocated: 7 });
  });

  it.each([
    ['403', 'does not allow this to your account'],
    ['404', 'nothing can be corrected, because the service knows no allocation of it'],
    ['429-seconds', 'has too much to do'],
    ['not-json', 'in a way this app cannot read'],
  ] as const)('turns %s into a sentence', async (fault, sentence) => {
    world.turnRule(PRODUCTION, 'Deny', false);
    const report = await world.review();
    world.admin.faults.always(fault, { on: 'read-allocation', retryAfterS: 1 });

    await kim().click(report, 'Correct…');

    expect(await world.awaitShown(sentence)).toContain('Correct drift');
    expect(countWrites()).toBe(0);
  });
});

describe('Correct… of an agent', () => {
  it('keeps one stopped that somebody stopped, unless told otherwise', async () => {
    world.setThreshold(MAKERS, 'bot-4', { limit: 9_000 });
    const report = await world.review();
    const question = await world.press(report, 'Correct…', 'admin_review_correct_choice');

    await kim().submit(question, { stop_decision: 'Keep it stopped' });
    const plan = await awaitModal(world, KIM, 'admin_limit_confirm');
    const outcome = await confirm(plan);

    expect(render(question)).toContain('Somebody stopped this agent');
    expect(render(plan)).toContain('Monthly limit: 9,000 credits → *100 credits*');
    expect(outcome).toContain('*Verified*');
    expect(limitOf(MAKERS, 'bot-4')).toMatchObject({ limit: 100, stopResource: true });
  });

  it('asks nothing about one that runs', async () => {
    world.setThreshold(PRODUCTION, 'bot-1', { notificationThreshold: 99 });
    const report = await world.review();

    const outcome = await confirm(await world.press(report, 'Correct…', 'admin_limit_confirm'));

    expect(outcome).toContain('*Verified*');
    expect(limitOf(PRODUCTION, 'bot-1')).toMatchObject({
      limit: 5_000,
      notificationThreshold: 80,
      stopResource: false,
    });
  });
});

/** *Correct all … at once…* with these kinds ticked, as far as the preview. */
async function preview(kinds?: string[]): Promise<View> {
  const form = await world.press(await world.review(), 'admin_review_correct_all', 'admin_review_correct_all_form');
  await kim().submit(form, { ...(kinds && { kinds }) });
  return awaitModal(world, KIM, 'admin_review_correct_all_confirm');
}

/** Confirms a preview, and returns the report. */
async function carryOut(form: View, entries: Entries = {}): Promise<string> {
  const count = world.readDirect().length;
  await kim().submit(form, entries);
  return world.slack.render(await world.awaitDirect(count, ' made'));
}

describe('Correct all … at once… of a few findings', () => {
  /** A rule of production, the limits of two agents that run, that of one who is stopped, and one with a question. */
  function plant(): void {
    world.turnRule(PRODUCTION, 'Deny', false);
    world.setThreshold(PRODUCTION, 'bot-1', { limit: 9_000 });
    world.setThreshold(MAKERS, 'bot-1', { limit: 900 });
    world.setThreshold(MAKERS, 'bot-4', { limit: 950 });
    world.turnRule(MAKERS, 'Alert', false);
  }

  it('shows old → new of each, and what is left out', async () => {
    plant();
    const shown = render(await preview());

    expect(shown).toContain('*4 changes* back to what the register approves.');
    expect(shown).toContain(`*1.* *Invoice Reader* in Ana's "Makers" lab: Monthly limit 900 credits → *200 credits*`);
    expect(shown).toContain('*3.* *Contoso Production*: Deny when used up off → *on*');
    expect(shown).toContain('The agent is stopped, and stays so.');
    expect(shown).toContain(`*Left out*\n• *Ana's "Makers" lab*: an update has to set rules that the register leaves`);
  });

  it('corrects the others also where one is in conflict and one is refused', async () => {
    plant();
    const form = await preview(['limit']);
    world.setThreshold(MAKERS, 'bot-4', { limit: 960 });
    world.admin.faults.next('403', { on: 'write-threshold' });

    const outcome = await carryOut(form);

    expect(outcome).toContain('1 of 3 changes made, and read back.');
    expect(outcome).toContain(`:x: *Spec Writer* in Ana's "Makers" lab: *Conflict*, it is not as the preview showed`);
    expect(outcome).toContain('• 1 *Failed*: the service does not allow it to this account');
    expect(outcome).toContain('[Export CSV]');
    expect(limitOf(MAKERS, 'bot-4')).toMatchObject({ limit: 960, stopResource: true });
  });

  it('needs a reason, and keeps it', async () => {
    plant();
    const form = await preview(['allocation']);

    const brief = await kim().submit(form, { reason: 'short' });
    kim().fill(form, { reason: 'Agreed with finance' });
    const outcome = await carryOut(form);

    expect(brief.errors.reason).toContain('at least 10 characters');
    expect(outcome).toContain('1 of 1 change made, and read back.');
    expect(outcome).toContain('*Contoso Production*: *Verified*');
    expect(countWrites()).toBe(1);
    const changes = world.readAudit().filter(({ what }) => what.endsWith('_change'));
    expect(changes.at(-1)).toMatchObject({ reason: 'Agreed with finance', outcome: { kind: 'verified' } });
  });

  it('is made once where it is confirmed twice', async () => {
    plant();
    const form = await preview();
    const count = world.readDirect().length;

    await Promise.all([kim().submit(form), kim().submit(form)]);
    await world.awaitDirect(count, '4 of 4 changes made');
    await world.awaitShown('confirmed before, and is carried out once');

    expect(countWrites()).toBe(4);
  });

  it('leaves out what cannot be read, and says why', async () => {
    world.turnRule(PRODUCTION, 'Deny', false);
    world.setThreshold(PRODUCTION, 'bot-1', { limit: 9_000 });
    const report = await world.review();
    world.admin.faults.always('403', { on: 'read-allocation' });

    const form = await world.press(report, 'admin_review_correct_all', 'admin_review_correct_all_form');
    await kim().submit(form, {});
    const shown = render(await awaitModal(world, KIM, 'admin_review_correct_all_confirm'));

    expect(shown).toContain('*1 change* back to what the register approves.');
    expect(shown).toContain(
      '• *Contoso Production*: The administrative service does not allow this to your account: it lacks the right to read allocations.',
    );
  });
});

describe('where loosening needs a second admin', () => {
  it('asks for one under the finding, and once for all at once', async () => {
    const own = await startReviewActionsWorld({ REQUIRE_SECOND_APPROVER: 'yes' });
    try {
      own.setThreshold(MAKERS, 'bot-1', { limit: 150 });
      own.turnRule(PRODUCTION, 'Deny', false);
      const report = await own.review();
      own.admin.ledger.clear();
      const form = await own.press(report, 'Correct all 2 at once…', 'admin_review_correct_all_form');
      await own.slack.as(KIM).submit(form, {});
      const preview = await awaitModal(own, KIM, 'admin_review_correct_all_confirm');
      const shown = own.slack.render(preview);
      await own.slack.as(KIM).closeView(preview);
      const alone = await own.press(report, 'Correct…', 'admin_limit_confirm');

      expect(shown).toContain('*2 changes* back to what the register approves.');
      expect(shown).toContain('Who approves? (optional)');
      expect(shown).toContain('1 of 2 changes allows more than before, or may.');
      expect(own.slack.render(alone)).toContain('[Ask for approval]');
      expect(own.admin.ledger.count(({ method }) => method === 'PATCH' || method === 'PUT')).toBe(0);
    } finally {
      await own.stop();
    }
  });
});
