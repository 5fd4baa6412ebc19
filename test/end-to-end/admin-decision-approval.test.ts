// Decisions about findings that approve more than the register, where REQUIRE_SECOND_APPROVER asks for a second admin.

import type { Message, View } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { awaitModal, closeModals, giveAdminCommand, readDirect } from '../app/administer.ts';
import { pressSignIn } from '../app/sign-in.ts';
import { followSignIn, KIM, signInWithAccount, signInWithKimsAccount } from './admin-world.ts';
import { PRODUCTION, type ReviewActionsWorld, startReviewActionsWorld } from './review-actions-world.ts';

const BEN = 'U0BEN';
const ANA = 'U0ANA';
const REASON = 'Agreed with finance, FIN-7';

let world: ReviewActionsWorld;

beforeAll(async () => {
  world = await startReviewActionsWorld({ ADMIN_USERS: 'U0KIM,U0BEN,U0ANA', REQUIRE_SECOND_APPROVER: 'yes' });
  await signInWithAccount(world, BEN, 'lee');
});
beforeEach(async () => {
  await world.reset();
  world.forgetDecisions();
});
afterAll(() => world.stop());

const person = (user: string) => world.slack.as(user);
const direct = (user: string) => readDirect(world, user);
const render = (shown: View | Message) => world.slack.render(shown as View);
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const nextDirect = (user: string, count: number) =>
  world.slack.until(() => direct(user)[count], { what: `a direct message to ${user}` });

async function openAccept(): Promise<View> {
  world.turnRule(PRODUCTION, 'Deny', false);
  return world.press(await world.review(), 'Accept…', 'admin_review_accept_form');
}

/** Sends the form, and returns what the approver gets. */
async function ask(form: View, entries: Parameters<ReturnType<typeof person>['submit']>[1], approver = BEN) {
  const [asked, told] = [direct(approver).length, direct(KIM).length];
  const { errors } = await person(KIM).submit(form, { ...entries, reason: REASON, approver });
  expect(errors).toEqual({});
  expect(render(await nextDirect(KIM, told))).toContain('*Waiting for approval*');
  // A file with all of it may come first.
  const request = () =>
    direct(approver)
      .slice(asked)
      .find((message) => render(message).includes('[Approve'));
  return world.slack.until(request, { what: 'the request' });
}

/** Clicks, and waits until the message has no buttons any more. */
async function decide(request: Message, button: 'Approve' | 'Approve all 3' | 'Reject'): Promise<string> {
  await person(BEN).click(request, button);
  if (button === 'Reject') {
    const form = await awaitModal(world, BEN, 'admin_approval_reject_form');
    await person(BEN).submit(form, { reason: 'Not before the review of spring.' });
  }
  const shown = () => render(direct(BEN).find(({ ts }) => ts === request.ts) ?? request);
  return world.slack.until(() => (shown().includes('[Approve') ? undefined : shown()), {
    what: 'the decision',
  });
}

describe('an exception that lets something looser stay', () => {
  it('waits for the second admin, and is recorded with both of them', async () => {
    const form = await openAccept();
    const request = await ask(form, { last_day: inDays(30) });
    const asked = render(request);
    const before = world.readDecisions();
    const told = direct(KIM).length;

    const decided = await decide(request, 'Approve');

    expect(render(form)).toContain('[Ask for approval]');
    expect(asked).toContain('asks you to approve an exception for the drift of *Contoso Production*.');
    expect(asked).toContain('• Deny when used up (ServiceMessages): approved on → found *off*');
    expect(before).toEqual([]);
    expect(decided).toContain('*Accepted* until');
    expect(render(await nextDirect(KIM, told))).toContain(
      'approved your exception for the drift of *Contoso Production*',
    );
    expect(world.readDecisions()).toMatchObject([{ kind: 'exception', by: { user: KIM }, approvedBy: BEN }]);
    expect(world.readAudit().slice(-3)).toMatchObject([
      { what: 'approval_requested', outcome: { kind: 'done' } },
      { what: 'exception_accepted', outcome: { kind: 'begun' } },
      { what: 'exception_accepted', outcome: { kind: 'done' }, reason: REASON },
    ]);
    expect(render(await world.review())).toContain('*Review: everything is as approved.*');
  });

  it('is not recorded where it is rejected', async () => {
    const request = await ask(await openAccept(), { last_day: inDays(30) });
    const told = direct(KIM).length;

    const decided = await decide(request, 'Reject');

    expect(decided).toMatch(/You rejected this on .*\. Nothing was recorded\./);
    expect(render(await nextDirect(KIM, told))).toContain('rejected your exception');
    expect(render(await nextDirect(KIM, told))).toContain('Their reason: Not before the review of spring.');
    expect(world.readDecisions()).toEqual([]);
  });

  it('is recorded once where it is asked for twice, and the later one hears why not', async () => {
    world.turnRule(PRODUCTION, 'Deny', false);
    const report = await world.review();
    const requests: Message[] = [];
    for (const days of [30, 60]) {
      const form = await world.press(report, 'Accept…', 'admin_review_accept_form');
      requests.push(await ask(form, { last_day: inDays(days) }));
      await closeModals(world, KIM);
    }

    const decided = [await decide(requests[0] as Message, 'Approve'), await decide(requests[1] as Message, 'Approve')];

    expect(decided[0]).toContain('*Accepted* until');
    expect(decided[1]).toContain('*Not recorded*: Somebody else has decided about this meanwhile');
    expect(world.readDecisions()).toHaveLength(1);
  });

  it('is not recorded where it was mended, or some of it, before it is approved', async () => {
    const request = await ask(await openAccept(), { last_day: inDays(30) });
    world.turnRule(PRODUCTION, 'Deny', true);
    const mended = await decide(request, 'Approve');
    await closeModals(world, KIM);
    world.setCredits(PRODUCTION, 60_000);
    const both = await ask(await openAccept(), { last_day: inDays(30) });
    world.setCredits(PRODUCTION, 25_000);
    const some = await decide(both, 'Approve');

    expect(mended).toContain('*Not recorded*: This is as approved by now: there is nothing to accept. Review again.');
    expect(some).toContain('*Not recorded*: Some of what was to be accepted is not there any more');
    expect(world.readDecisions()).toEqual([]);
  });

  it('stays open where what is there cannot be read', async () => {
    const request = await ask(await openAccept(), { last_day: inDays(30) });
    world.admin.faults.always('403', { on: 'read-allocation' });
    const count = direct(BEN).length;

    await person(BEN).click(request, 'Approve');

    expect(render(await nextDirect(BEN, count))).toContain('Nothing was decided: the request stays open.');
    expect(world.readDecisions()).toEqual([]);
  });

  it('needs nobody else where what stays is tighter', async () => {
    world.setCredits(PRODUCTION, 10);
    const form = await world.press(await world.review(), 'Accept…', 'admin_review_accept_form');
    const told = direct(KIM).length;

    await person(KIM).submit(form, { last_day: inDays(30), reason: REASON });

    expect(render(form)).not.toContain('Who approves?');
    expect(render(await nextDirect(KIM, told))).toContain('*Accepted* until');
    expect(world.readDecisions()).toMatchObject([{ by: { user: KIM } }]);
  });
});

describe('a classification', () => {
  it('waits for the second admin', async () => {
    world.addEnvironment('new-1', 'New One', { Alert: true, TenantPool: false, PayGo: false, Deny: true });
    const form = await world.press(await world.review(), 'Classify…', 'admin_review_classify_form');

    const unnamed = await person(KIM).submit(form, { classification: 'maker-development', reason: REASON });
    const request = await ask(form, { classification: 'maker-development' });
    const asked = render(request);
    const decided = await decide(request, 'Approve');

    expect(unnamed.sent).toBe(false);
    expect(asked).toContain('asks you to approve a classification of *New One*.');
    expect(asked).toContain('• ServiceMessages: 0 credits, Alert on, TenantPool off, PayGo off, Deny on');
    expect(decided).toContain('*Classified*: *New One* is maker development.');
    expect(world.readDecisions()).toMatchObject([{ kind: 'classification', approvedBy: BEN }]);
  });
});

describe('many classifications', () => {
  it('wait for one approval of all of them', async () => {
    for (const index of [1, 2, 3]) {
      const rules = { Alert: true, TenantPool: false, PayGo: false, Deny: true };
      world.addEnvironment(`new-${index}`, `New ${index}`, rules);
    }
    const form = await world.press(await world.review(), 'Classify many…', 'admin_review_classify_many_form');
    await person(KIM).submit(form, { classification: 'maker-development', approved_credits: 'found' });
    const preview = await awaitModal(world, KIM, 'admin_review_classify_many_confirm');

    const unnamed = await person(KIM).submit(preview, { reason: REASON });
    const request = await ask(preview, {});
    const asked = render(request);
    const before = world.readDecisions();
    const count = direct(KIM).length;
    await decide(request, 'Approve all 3');
    const isTold = () =>
      direct(KIM)
        .slice(count)
        .map(render)
        .find((text) => text.includes('classified.'));
    const told = await world.slack.until(isTold, { what: 'the report' });

    expect(unnamed.errors.approver).toBeDefined();
    expect(asked).toContain('asks you to approve a bulk change of 3 classifications.');
    expect(asked).toContain('*3 environments* become *maker development*.');
    expect(asked).toContain('• New 1: 0 ServiceMessages');
    expect(before).toEqual([]);
    expect(told).toContain('3 of 3 environments classified.');
    expect(world.readDecisions()).toMatchObject(
      Array.from({ length: 3 }, () => ({ kind: 'classification', by: { user: KIM }, approvedBy: BEN })),
    );
  });
});

describe('a classification with credits of its own, and a change of it', () => {
  it('show the second admin what is approved; to withdraw it, nobody is asked', async () => {
    world.addEnvironment('new-1', 'New One', { Alert: true, TenantPool: false, PayGo: false, Deny: true });
    world.addEnvironment('new-2', 'New Two', { Alert: true, TenantPool: false, PayGo: false, Deny: true });
    const report = await world.review();
    const stated = { classification: 'funded-production', approved_credits: 'stated', credits: '70' };
    const request = await ask(await world.press(report, 'Classify…', 'admin_review_classify_form'), stated);
    const asked = render(request);
    await decide(request, 'Approve');
    await closeModals(world, KIM);

    const count = direct(BEN).length;
    const entries = { ...stated, credits: '90', agent_limit: '800', reason: REASON };
    const unnamed = await person(KIM).submit(await openChange(), entries);
    await person(KIM).submit(person(KIM).openView() as View, { ...entries, approver: BEN });
    const change = await nextDirect(BEN, count);
    const shown = render(change);
    const decided = await decide(change, 'Approve');
    await closeModals(world, KIM);
    await person(KIM).submit(await openChange(), { classification: 'withdrawn', reason: REASON });
    await world.awaitShown('is not in the register any more');

    expect(asked).toContain('• ServiceMessages: 70 credits, Alert on, TenantPool off, PayGo off, Deny on');
    expect(unnamed.errors.approver).toBeDefined();
    expect(shown).toContain('• ServiceMessages: 90 credits');
    expect(shown).toContain('• Agents: 800 credits a month, notice at 80 %, does not stop');
    expect(decided).toContain('*Classified*: *New One* is funded production.');
    const [first, second, third] = world.readDecisions();
    expect(second).toMatchObject({ approvedBy: BEN, replaces: first?.id, allocations: [{ allocated: 90 }] });
    expect(third).toMatchObject({ isWithdrawn: true, replaces: second?.id });
    expect(third?.approvedBy).toBeUndefined();
  });

  async function openChange(): Promise<View> {
    const listed = await giveAdminCommand(world, KIM, 'review classifications new one');
    return world.press(listed, 'Change or withdraw…', 'admin_review_reclassify_form');
  }
});

describe('an account without rights at the service', () => {
  it('neither asks for a decision nor approves one', async () => {
    world.addEnvironment('new-1', 'New One', { Alert: true, TenantPool: false, PayGo: false, Deny: true });
    const report = await world.review();
    const page = await pressSignIn(world, KIM, await giveAdminCommand(world, KIM, 'sign-in'));
    await closeModals(world, KIM);
    const request = await ask(await world.press(report, 'Classify…', 'admin_review_classify_form'), {
      classification: 'maker-development',
    });
    await signInWithAccount(world, BEN, 'ben');

    await person(BEN).click(request, 'Approve');
    const refused = await awaitText(BEN, 'does not allow this to your account');
    await closeModals(world, KIM);
    const form = await world.press(report, 'Classify…', 'admin_review_classify_form');
    await followSignIn(world, KIM, 'ana', page);
    const count = direct(ANA).length;
    await person(KIM).submit(form, { classification: 'maker-development', reason: REASON, approver: ANA });
    await awaitText(KIM, 'does not allow this to your account');
    await signInWithKimsAccount(world, KIM);
    await signInWithAccount(world, BEN, 'lee');

    expect(refused).toContain('the request stays open');
    expect(direct(ANA)).toHaveLength(count);
    expect(world.readDecisions()).toEqual([]);
  });
});

function awaitText(user: string, text: string): Promise<string> {
  const find = () =>
    direct(user)
      .map(render)
      .find((shown) => shown.includes(text));
  return world.slack.until(find, { what: `“${text}”` });
}

describe('two people in Slack with one account', () => {
  it('are no second admin for each other, at the choice and at the click', async () => {
    const form = await openAccept();
    const request = await ask(form, { last_day: inDays(30) }, ANA);
    await signInWithKimsAccount(world, ANA);

    await person(ANA).click(request, 'Approve');
    const isRefused = () =>
      direct(ANA)
        .map(render)
        .find((text) => text.includes('with the same account'));
    const refused = await world.slack.until(isRefused, { what: 'a refusal' });
    await closeModals(world, KIM);
    const again = await openAccept();
    const { errors } = await person(KIM).submit(again, { last_day: inDays(30), reason: REASON, approver: ANA });

    expect(refused).toContain('you sign in to the administrative service with the same account as who asked for this');
    expect(errors.approver).toContain('this is you under another name');
    expect(world.readDecisions()).toEqual([]);
  });

  it('are none either after the one who asked has signed out', async () => {
    const request = await ask(await openAccept(), { last_day: inDays(30) });
    const count = direct(BEN).length;
    for (const user of [KIM, BEN]) await person(user).command('/assistant', 'sign-out', 'C0GENERAL');
    await signInWithKimsAccount(world, BEN);

    await person(BEN).click(request, 'Approve');
    const isRefused = () =>
      direct(BEN)
        .slice(count)
        .map(render)
        .find((text) => text.includes('Nothing was done'));
    const refused = await world.slack.until(isRefused, { what: 'a refusal' });
    await signInWithKimsAccount(world, KIM);
    await signInWithAccount(world, BEN, 'lee');

    expect(refused).toContain('you sign in to the administrative service with the same account as who asked for this');
    expect(world.readDecisions()).toEqual([]);
  });

  it('are in the record and in the audit log, each with their own', async () => {
    const { issuer, people } = world.identityProvider;
    const [account, approverAccount] = ['kim', 'lee'].map((key) => `${issuer}|oid|${people.get(key)?.oid}`);
    const request = await ask(await openAccept(), { last_day: inDays(30) });

    await decide(request, 'Approve');

    expect(world.readDecisions()).toMatchObject([{ account, approverAccount }]);
    expect(world.readAudit().slice(-3)).toMatchObject([
      { what: 'approval_requested', who: { account, approver: BEN } },
      { what: 'exception_accepted', who: { account, approver: BEN, approverAccount } },
      { what: 'exception_accepted', who: { account, approver: BEN, approverAccount } },
    ]);
  });
});
