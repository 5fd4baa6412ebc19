// *Accept…*, *Classify…* and *Approve limit…* under the report of a review: the real app against the stand-ins.

import type { Json, Message, View } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { awaitModal, closeModals, giveAdminCommand } from '../app/administer.ts';
import { KIM } from './admin-world.ts';
import { EXAMPLE, PRODUCTION, type ReviewActionsWorld, startReviewActionsWorld } from './review-actions-world.ts';

const REASON = 'Agreed with finance, FIN-7';

let world: ReviewActionsWorld;

beforeAll(async () => {
  world = await startReviewActionsWorld();
});
beforeEach(async () => {
  await world.reset();
  world.forgetDecisions();
});
afterAll(() => world.stop());

const kim = () => world.slack.as(KIM);
const render = (view: View | Message) => world.slack.render(view as View);
const reviewText = async () => render(await world.review());
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Fills in the form, and returns the message about what was decided. */
async function decide(form: View, entries: Parameters<ReturnType<typeof kim>['submit']>[1]): Promise<string> {
  const count = world.readDirect().length;
  const { errors } = await kim().submit(form, entries);
  expect(errors).toEqual({});
  return render(await world.slack.until(() => world.readDirect()[count]));
}

async function openAccept(): Promise<View> {
  world.turnRule(PRODUCTION, 'Deny', false);
  world.setCredits(PRODUCTION, 40_000);
  return world.press(await world.review(), 'Accept…', 'admin_review_accept_form');
}

async function openClassify(): Promise<View> {
  world.addEnvironment('new-1', 'New <One>', { Alert: true, TenantPool: false, PayGo: false, Deny: true });
  return world.press(await world.review(), 'Classify…', 'admin_review_classify_form');
}

describe('Accept…', () => {
  it('shows exactly what is accepted, which is an approved exception from then on', async () => {
    const form = await openAccept();

    const told = await decide(form, { last_day: inDays(30), reason: REASON });

    expect(render(form)).toContain('• Allocated credits (ServiceMessages): approved 25,000 → found *40,000*');
    expect(render(form)).toContain('• Deny when used up (ServiceMessages): approved on → found *off*');
    expect(told).toContain('the drift of *Contoso Production* is an approved exception');
    expect(told).toContain('`/assistant-admin review export`');
    expect(await world.awaitShown('*Accepted* until')).toContain('found *40,000*');
    expect(world.readDirect().findLast((message) => render(message) === told)?.threadTs).toBeDefined();
    const report = await reviewText();
    expect(report).toContain('*Review: everything is as approved.*');
    expect(report).toContain('1 accepted for now');
    expect(world.readAudit().at(-1)).toMatchObject({
      what: 'exception_accepted',
      reason: REASON,
      subject: { environmentId: PRODUCTION, changeId: world.readDecisions()[0]?.id },
      outcome: { kind: 'done' },
    });
  });

  it('holds for these values alone, and until its last day', async () => {
    await decide(await openAccept(), { last_day: inDays(30), reason: REASON });
    world.setCredits(PRODUCTION, 41_000);

    const movedOn = await reviewText();
    world.setCredits(PRODUCTION, 40_000);
    world.ageDecisions(inDays(-1));
    const isOver = await reviewText();

    expect(movedOn).toContain('*Contoso Production* · funded production · :warning: *drift*');
    expect(movedOn).toContain('found *41,000*');
    expect(isOver).toContain('*the exception ended on');
  });

  it('accepts the settings that are ticked, and no others', async () => {
    const form = await openAccept();
    const none = await kim().submit(form, {
      last_day: inDays(30),
      reason: REASON,
      settings_0: { selected_options: [] },
    });

    const told = await decide(form, {
      last_day: inDays(30),
      reason: REASON,
      settings_0: ['Deny when used up (ServiceMessages)'],
    });

    expect(none.sent).toBe(false);
    expect(told).toContain('Deny when used up');
    expect(told).not.toContain('Allocated credits');
    expect(world.readDecisions()).toMatchObject([{ accepts: [{ setting: 'Deny', value: 'off' }] }]);
    expect(world.readAudit().at(-1)?.after).toMatchObject({ accepts: [{ setting: 'Deny' }] });
    expect(await world.tell('review export')).toContain('direct messages');
    const report = await reviewText();
    expect(report).toContain('*Contoso Production* · funded production · :warning: *drift*');
    expect(report).toContain('accepted until');
  });

  it('says at its fields what is wrong', async () => {
    const form = await openAccept();

    const late = await kim().submit(form, { last_day: inDays(400), reason: 'because' });
    const past = await kim().submit(form, { last_day: inDays(0), reason: REASON });

    expect(late.errors.last_day).toContain('an exception holds for a year at most');
    expect(late.errors.reason).toContain('at least 10 characters');
    expect(past.errors.last_day).toContain('Choose a day after today');
    expect(world.readDecisions()).toEqual([]);
  });

  it('is one record where it is confirmed twice', async () => {
    const form = await openAccept();
    const entries = { last_day: inDays(30), reason: REASON };
    const count = world.readDirect().length;
    const entriesBefore = world.readAudit().length;

    await Promise.all([kim().submit(form, entries), kim().submit(form, entries)]);
    await world.awaitDirect(count, '*Accepted*');
    await world.slack.until(() => world.app.lines.filter((line) => line.includes('decision ended')).length > 1);

    expect(world.readDecisions()).toHaveLength(1);
    expect(
      world
        .readAudit()
        .slice(entriesBefore)
        .map(({ outcome }) => outcome.kind),
    ).toEqual(['begun', 'done']);
    expect(world.readDirect().slice(count)).toHaveLength(1);
  });

  it('says that nothing is open any more where somebody has accepted it meanwhile', async () => {
    world.turnRule(PRODUCTION, 'Deny', false);
    const report = await world.review();
    await decide(await world.press(report, 'Accept…', 'admin_review_accept_form'), {
      last_day: inDays(30),
      reason: REASON,
    });
    await world.slack.as(KIM).closeView(kim().openView() as View);

    const again = await world.press(report, 'Accept…', 'admin_review_accept_problem');

    expect(render(again)).toContain('There is no drift here any more that could be accepted');
  });

  it('accepts nothing that is as approved by now, nor what has moved on', async () => {
    world.setCredits(PRODUCTION, 60_000);
    const report = await world.review();
    world.setCredits(PRODUCTION, 25_000);

    const mended = await world.press(report, 'Accept…', 'admin_review_accept_problem');
    await kim().closeView(mended);
    world.setCredits(PRODUCTION, 70_000);
    const moved = await world.press(report, 'Accept…', 'admin_review_accept_problem');

    expect(render(mended)).toContain('This is as approved by now: there is nothing to accept. Review again.');
    expect(render(moved)).toContain('Something else is there by now than this review found');
    expect(world.readDecisions()).toEqual([]);
  });

  it('looks again when the form is sent, and accepts only what is still there', async () => {
    const form = await openAccept();
    world.setCredits(PRODUCTION, 25_000);
    const told = await decide(form, { last_day: inDays(30), reason: REASON });
    await kim().closeView(kim().openView() as View);

    expect(render(form)).toMatch(/as found on \d+ \w+, \d\d:\d\d and still there now/);
    expect(told).toContain('Deny when used up');
    expect(told).not.toContain('Allocated credits');
    expect(world.readDecisions()).toMatchObject([{ accepts: [{ setting: 'Deny', value: 'off' }] }]);
  });

  it('records nothing where it was mended, or cannot be read, once the form is sent', async () => {
    const entries = { last_day: inDays(30), reason: REASON };
    world.setCredits(PRODUCTION, 60_000);
    const report = await world.review();
    const mended = await world.press(report, 'Accept…', 'admin_review_accept_form');
    world.setCredits(PRODUCTION, 25_000);

    await kim().submit(mended, entries);
    await world.awaitShown('This is as approved by now: there is nothing to accept.');
    await kim().closeView(kim().openView() as View);
    world.setCredits(PRODUCTION, 60_000);
    const unread = await world.press(report, 'Accept…', 'admin_review_accept_form');
    world.admin.faults.always('403', { on: 'read-allocation' });
    await kim().submit(unread, entries);
    await world.awaitShown('What is there now could not be read, so nothing was accepted.');

    expect(world.readDecisions()).toEqual([]);
  });

  it('looks again at the limit of an agent', async () => {
    world.setThreshold(PRODUCTION, 'bot-1', { limit: 9_000 });
    const report = await world.review();
    const drifted = await world.press(report, 'Accept…', 'admin_review_accept_form');
    await kim().closeView(drifted);
    world.setThreshold(PRODUCTION, 'bot-1', { limit: 8_500 });

    const moved = await world.press(report, 'Accept…', 'admin_review_accept_problem');
    await kim().closeView(moved);
    world.setThreshold(PRODUCTION, 'bot-1', { limit: 9_000 });
    world.admin.faults.always('403', { on: 'list-thresholds' });
    const unread = await world.press(report, 'Accept…', 'admin_review_accept_problem');

    expect(render(drifted)).toContain('found *9,000*');
    expect(render(moved)).toContain('Something else is there by now');
    expect(render(unread)).toContain('What is there now could not be read, so nothing was accepted.');
  });

  it('holds beside the register that was reviewed against, and no other', async () => {
    world.turnRule(PRODUCTION, 'Deny', false);
    const report = await world.review();
    world.writeRegister(`${EXAMPLE}\n`);

    const problem = await world.press(report, 'Accept…', 'admin_review_accept_problem');

    expect(render(problem)).toContain("The register's file was changed since this review, so nothing was decided.");
  });

  it('says where the report is not kept any more', async () => {
    world.turnRule(PRODUCTION, 'Deny', false);
    const report = await world.review();
    world.forgetReports();

    for (const [button, topic] of [
      ['Accept…', 'accept'],
      ['Correct…', 'correct'],
    ] as const) {
      const problem = await world.press(report, button, `admin_review_${topic}_problem`);
      expect(render(problem)).toContain('This report is too old, so nothing was done.');
      await kim().closeView(problem);
    }
  });
});

describe('Classify…', () => {
  it('says what is approved by it, and the next review holds the environment against that', async () => {
    const form = await openClassify();

    const told = await decide(form, {
      classification: 'maker-development',
      owner_users: ['U0BEN'],
      owner_addresses: 'Ana@contoso.example; dan@contoso.example',
      reason: REASON,
    });

    expect(render(form)).toContain('*New <One>*');
    expect(render(form)).toContain('• ServiceMessages: 0 credits, Alert on, TenantPool off, PayGo off, Deny on');
    expect(render(form)).toContain('• Agents: 500 credits a month, notice at 80 %, stops when reached');
    expect(told).toContain('*Classified*: *New <One>* is maker development.');
    expect(world.readDecisions()).toMatchObject([
      { kind: 'classification', owners: ['U0BEN', 'ana@contoso.example', 'dan@contoso.example'] },
    ]);
    expect(world.readAudit().at(-1)).toMatchObject({ what: 'environment_classified', reason: REASON });
    expect(await reviewText()).toContain('*Review: everything is as approved.*');
    expect(await world.tell('review export')).toContain('direct messages');
  });

  it('says at its fields what is wrong', async () => {
    const form = await openClassify();

    const bare = await kim().submit(form, { reason: REASON });
    const wrong = await kim().submit(form, { classification: 'maker-development', owner_addresses: 'ana' });

    expect(bare.sent).toBe(false);
    expect(wrong.errors.owner_addresses).toContain('“ana” is not an e-mail address');
  });

  it('takes credits and rules where the defaults of the register do not say all that is approved', async () => {
    const form = await openClassify();
    const use = { classification: 'funded-production', reason: REASON };

    await kim().submit(form, use);
    await world.awaitShown('The register does not say all that is approved for funded-production by default.');
    await kim().closeView(kim().openView() as View);
    const again = await world.press(await world.review(), 'Classify…', 'admin_review_classify_form');
    const wrong = await kim().submit(again, {
      ...use,
      approved_credits: 'stated',
      credits: 'many',
      agent_limit: '1,5',
    });
    const told = await decide(again, { ...use, approved_credits: 'stated', credits: '0', agent_limit: '' });

    expect(render(form)).toContain(
      "*Funded production*: the register's defaults do not say all that is approved for it",
    );
    expect(wrong.errors).toEqual({
      credits: 'Enter digits only, for example 25000 or 25,000.',
      agent_limit: 'Commas and spaces separate thousands here, a point begins a fraction: 1000, 1,000 or 82.5.',
    });
    expect(told).toContain('*Classified*: *New <One>* is funded production.');
    expect(told).toContain('• ServiceMessages: 0 credits, Alert on, TenantPool off, PayGo off, Deny on');
    expect(world.readDecisions()).toMatchObject([
      { classification: 'funded-production', allocations: [{ allocated: 0 }] },
    ]);
    expect(await reviewText()).toContain('*Review: everything is as approved.*');
  });

  it('works where the register has no defaults at all', async () => {
    world.writeRegister('schema: 1\nenvironments: []\n');

    const form = await world.press(await world.review(), 'Classify…', 'admin_review_classify_form');

    expect(render(form)).not.toContain("What the register's defaults say");
    expect(render(form)).toContain('What is stated here');
  });
});

describe('Approve limit…', () => {
  it('is what the next review holds the agent against', async () => {
    const named = '      - { id: bot-5, name: Old Helper, monthlyLimit: none }\n';
    const unnamed =
      '    unnamedAgents:\n      monthlyLimit: 500 # credits a month, or none: no limit is to be set\n      alertAt: 80 # percent of the limit, or off\n      stopWhenReached: on\n';
    world.writeRegister(EXAMPLE.replace(named, '').replace(unnamed, ''));
    const form = await world.press(await world.review(), 'Approve limit…', 'admin_review_approve_limit_form');

    const empty = await kim().submit(form, { reason: REASON });
    const told = await decide(form, { no_limit: ['yes'], reason: REASON });

    expect(render(form)).toContain(`*Old Helper* in Ana's "Makers" lab\nLimit now: none set`);
    expect(empty.errors.limit).toContain('Enter a monthly limit in credits');
    expect(told).toContain(`*Approved* for *Old Helper* in Ana's "Makers" lab: no monthly limit.`);
    expect(world.readAudit().at(-1)).toMatchObject({ what: 'limit_approved', reason: REASON });
    expect(await reviewText()).toContain('*Review: everything is as approved.*');
  });
});

describe('the buttons', () => {
  it('say below the report where Slack opens no window', async () => {
    world.setCredits(PRODUCTION, 40_000);
    const report = await world.review();
    const count = world.readDirect().length;
    world.slack.faults.next('views.open', { kind: 'slackError', error: 'expired_trigger_id' });

    await kim().click(report, 'Accept…');

    const told = await world.awaitDirect(count, 'Slack did not open the window in time, so nothing was done.');
    expect(told.threadTs).toBe(report.ts);
  });

  it('refuse whoever is no admin, at the click and at the form, and nothing is asked or recorded', async () => {
    const form = await openAccept();
    await kim().submit(form, { last_day: inDays(30), reason: 'short' });
    const submitted = world.slack.ledger.deliveries({ type: 'view_submission' }).at(-1)?.payload as Json;
    const report = world.readDirect().findLast(({ blocks }) => JSON.stringify(blocks).includes('admin_review_accept'));
    const value = (report?.blocks ?? [])
      .flatMap(({ elements }) => (elements as Json[] | undefined) ?? [])
      .find(({ action_id }) => action_id === 'admin_review_accept')?.value;
    const buttons = [
      ...['correct', 'correct_choose', 'accept', 'classify', 'classify_many', 'approve_limit', 'reclassify'],
    ];
    world.admin.ledger.clear();
    const asBen = {
      ...{ team: { id: 'T0001', domain: 'acme' }, trigger_id: '1.1.forged' },
      user: { id: 'U0BEN', username: 'U0BEN', team_id: 'T0001' },
    };

    for (const button of buttons) {
      await giveAdminCommand(world, 'U0BEN', 'help');
      const given = world.slack.ledger.deliveries({ type: '/assistant-admin' }).at(-1)?.payload as Json;
      const { response_url, trigger_id } = given;
      const actions = [{ action_id: `admin_review_${button}`, value, type: 'button', block_id: 'b', action_ts: '1.1' }];
      const click = { ...asBen, type: 'block_actions', response_url, trigger_id, actions };
      await world.slack.deliver({ ...click, channel: { id: 'C0GENERAL' } }, { kind: 'interaction' });
      expect(render(await awaitModal(world, 'U0BEN'))).toContain('Only administrators of this app');
      await closeModals(world, 'U0BEN');
    }
    const sent = await world.slack.deliver(
      { ...submitted, ...asBen, type: 'view_submission' },
      { kind: 'interaction' },
    );

    expect(value).toContain('report');
    expect(sent.body).toContain('Only administrators of this app');
    expect(world.readDecisions()).toEqual([]);
    expect(world.admin.ledger.count()).toBe(0);
  });
});
