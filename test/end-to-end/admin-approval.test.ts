import type { AdminFault } from '@assistant-bridge/sandbox/admin/faults.ts';
import { CURRENCY, type Threshold, toThresholdKey } from '@assistant-bridge/sandbox/admin/model.ts';
import { SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import type { SandboxUser } from '@assistant-bridge/sandbox/sandbox.ts';
import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  awaitModal,
  closeModals,
  giveAdminCommand,
  nextPrivate,
  openLimitModal,
  readDirect,
  readPrivate,
} from '../app/administer.ts';
import { startAppProcess } from '../app/app-process.ts';
import { type AdminWorld, KIM, signInWithAccount, startAdminWorld } from './admin-world.ts';

const BEN = 'U0BEN';
const ANA = 'U0ANA';
const REJECT_FORM = 'admin_approval_reject_form';
const WHY_NOT = { reason: 'Half of that is enough until spring.' };
const REASON = 'The new team needs room until spring.';

const [PRODUCTION = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

let world: AdminWorld;

beforeAll(async () => {
  world = await startAdminWorld(
    { admin: { thresholdList: true } },
    { ADMIN_USERS: 'U0KIM,U0BEN,U0ANA', REQUIRE_SECOND_APPROVER: 'yes' },
  );
  await signInAsLee(BEN, await giveAdminCommand(world, BEN, 'sign-in'));
});
afterEach(async () => {
  world.admin.faults.clear();
  world.slack.faults.clear();
  await closeModals(world, KIM);
});
afterAll(() => world.stop());

const person = (user: string) => world.slack.as(user);
const readLimit = () => world.admin.state.thresholds.get(toThresholdKey(PRODUCTION, 'bot-2'))?.limit;
const countWrites = () => world.admin.ledger.count(({ method }) => method === 'PUT' || method === 'PATCH');
const direct = (user: string) => readDirect(world, user);

function put(values: Partial<Threshold> = {}): void {
  world.admin.state.thresholds.set(toThresholdKey(PRODUCTION, 'bot-2'), {
    ...{ entitlementId: CURRENCY, environmentId: PRODUCTION, resourceId: 'bot-2', limit: 1_000 },
    ...{ notificationThreshold: 80, notifyIfOverCapacity: true, stopIfOverCapacity: false, stopResource: false },
    ...{ resourceConsumption: 0, createdOn: '2026-01-15T08:00:00Z' },
    ...values,
  });
}

/** Whoever it is in Slack: with another admin's account than Kim's. */
const signInAsLee = (user: SandboxUser, prompt: Message) => signInWithAccount(world, user, 'lee', prompt);

/** Kim fills the form of Travel Planner, whose limit is 1,000, as far as the confirmation. */
async function review(limit = '2000') {
  await closeModals(world, KIM);
  put();
  await person(KIM).submit(await openLimitModal(world, KIM, 'Travel Planner'), { limit });
  return awaitModal(world, KIM, 'admin_limit_confirm');
}

/** Kim asks somebody; returns what they get in their direct messages. */
async function ask(approver = BEN, limit = '2000'): Promise<Message> {
  const confirmation = await review(limit);
  const [asked, told] = [direct(approver).length, readPrivate(world, KIM).length];
  await person(KIM).submit(confirmation, { reason: REASON, approver });
  await nextPrivate(world, KIM, told);
  return nextDirect(approver, asked);
}

function nextDirect(user: string, count: number): Promise<Message> {
  return world.slack.until(() => direct(user)[count], { what: `a direct message to ${user}` });
}

/** Clicks, and waits until the message has no buttons any more. */
async function decide(request: Message, button: 'Approve' | 'Reject', user = BEN): Promise<string> {
  await person(user).click(request, button);
  if (button === 'Reject') await person(user).submit(await awaitModal(world, user, REJECT_FORM), WHY_NOT);
  const shown = () => world.slack.render(find(user, request));
  return world.slack.until(() => (shown().includes('[Approve]') ? undefined : shown()), { what: 'the decision' });
}

function find(user: string, { ts }: Message): Message {
  const message = direct(user).find((one) => one.ts === ts);
  if (!message) throw new Error('the message is gone');
  return message;
}

describe('a change that loosens something', () => {
  it('is sent to the approver, who sees all of it, and nothing is changed yet', async () => {
    const confirmation = await review();
    const told = readPrivate(world, KIM).length;
    const asked = direct(BEN).length;

    const { view } = await person(KIM).submit(confirmation, { reason: REASON, 'Who approves?': BEN });
    const message = world.slack.render(await nextPrivate(world, KIM, told));
    const request = world.slack.render(await nextDirect(BEN, asked));

    expect(world.slack.render(confirmation)).toContain('[Ask for approval]');
    expect(view && world.slack.render(view)).toMatch(/Asking @\w+ to approve the change of the limit of \*Travel/);
    expect(message).toContain('*Waiting for approval*');
    expect(request).toContain('asks you to approve a change of the limit of *Travel Planner* in Contoso Production.');
    expect(request).toContain('Monthly limit: 1,000 credits → *2,000 credits*');
    expect(request).toContain('The limit is raised');
    expect(request).toContain(`Reason: ${REASON}`);
    expect(request).toContain('[Approve] [Reject]');
    expect(readLimit()).toBe(1_000);
    expect(await readModal('Waiting for approval')).toContain('Nothing is changed yet');
  });

  it('is made with the approver’s token once they approve, and both hear how it ended', async () => {
    const request = await ask();
    world.admin.ledger.clear();
    const count = direct(KIM).length;

    const decided = await decide(request, 'Approve');
    const told = world.slack.render(await nextDirect(KIM, count));

    expect(decided).toContain('You approved this on');
    expect(decided).toContain('*Verified*');
    expect(told).toContain('approved your change of the limit of *Travel Planner*');
    expect(told).toContain('*Verified*');
    expect(readLimit()).toBe(2_000);
    expect(world.admin.ledger.requests.length).toBeGreaterThan(0);
    expect(new Set(world.admin.ledger.requests.map(({ subject }) => subject))).toEqual(new Set(['lee']));
  });

  it('is in the audit log with both of them', async () => {
    await decide(await ask(), 'Approve');

    const audit = await world.tell('audit');

    expect(audit).toContain(REASON);
    expect(audit).toMatch(/@kim[\s\S]*@ben/i);
  });

  it('is not made where it is rejected, and who asked hears it', async () => {
    const request = await ask();
    const [count, writes] = [direct(KIM).length, countWrites()];

    const decided = await decide(request, 'Reject');
    const told = world.slack.render(await nextDirect(KIM, count));

    expect(decided).toContain('You rejected this on');
    expect(decided).toContain(`Your reason: ${WHY_NOT.reason}`);
    expect(told).toContain('*Rejected*');
    expect(told).toContain(`Their reason: ${WHY_NOT.reason}`);
    const audit = await world.tell('audit half of that');
    expect(audit).toContain('*Approval refused*');
    expect(audit).toContain(`Refused because: ${WHY_NOT.reason}`);
    expect(audit).toContain(`Reason: ${REASON}`);
    expect(readLimit()).toBe(1_000);
    expect(countWrites()).toBe(writes);
  });

  it('stays open where the approver gives no reason, or closes the form, and is over for a form that comes late', async () => {
    const request = await ask();
    await person(BEN).click(request, 'Reject');
    const form = await awaitModal(world, BEN, REJECT_FORM);

    const { errors } = await person(BEN).submit(form, { reason: 'no' });
    const open = world.slack.render(find(BEN, request));
    await decide(request, 'Approve');
    await person(BEN).submit(form, WHY_NOT);
    const late = await awaitModal(world, BEN, 'admin_approval_reject_end');
    const shown = await world.slack.until(() => {
      const view = person(BEN).openView() ?? late;
      return world.slack.render(view).includes('Rejecting it') ? undefined : world.slack.render(view);
    });
    await closeModals(world, BEN);

    expect(errors.reason).toContain('Say why, in at least 10 characters');
    expect(open).toContain('[Approve] [Reject]');
    expect(shown).toContain('This was approved on');
    expect(readLimit()).toBe(2_000);
  });

  it('is made once, however often the button is clicked', async () => {
    const request = await ask();
    const [count, writes] = [direct(KIM).length, countWrites()];
    const clicks = [1, 2, 3].map(() => person(BEN).click(request, 'Approve'));

    await Promise.all([...clicks, person(BEN).click(request, 'Reject')]);
    await nextDirect(KIM, count);
    await world.tell('help');

    expect(countWrites() - writes).toBe(1);
    expect(direct(KIM)).toHaveLength(count + 1);
  });

  it('is asked for once, however often it is confirmed', async () => {
    const confirmation = await review();
    const [asked, told] = [direct(BEN).length, readPrivate(world, KIM).length];
    const submit = () => person(KIM).submit(confirmation, { reason: REASON, approver: BEN });

    await Promise.all([submit(), submit()]);
    await nextPrivate(world, KIM, told);
    await nextDirect(BEN, asked);
    await world.tell('help');

    expect(direct(BEN)).toHaveLength(asked + 1);
  });

  it('is a conflict where somebody changed it meanwhile', async () => {
    const request = await ask();
    put({ limit: 1_500 });
    const count = direct(KIM).length;

    const decided = await decide(request, 'Approve');
    const told = await nextDirect(KIM, count);

    expect(told.text).toContain('approved your change of the limit of');
    expect(world.slack.render(told)).not.toContain('It was sent');
    expect(decided).toContain('*Conflict*');
    expect(decided).toContain('Found: *1,500* credits');
    expect(readLimit()).toBe(1_500);
  });

  it.each<[AdminFault, string]>([
    ['429-seconds', 'has too much to do. Try again in 30 seconds.'],
    ['403', 'does not allow this to your account'],
    ['not-json', 'in a way this app cannot read'],
  ])('stays open where the service answers %s, and can be approved afterwards', async (fault, sentence) => {
    const request = await ask();
    const count = direct(BEN).length;
    world.admin.faults.always(fault, { on: 'list-thresholds', retryAfterS: 30 });

    await person(BEN).click(request, 'Approve');
    const problem = world.slack.render(await nextDirect(BEN, count));
    world.admin.faults.clear();
    const decided = await decide(request, 'Approve');

    expect(problem).toContain(sentence);
    expect(problem).toContain('the request stays open');
    expect(decided).toContain('*Verified*');
  });

  it('asks an approver who is not signed in to do so, and waits', async () => {
    const request = await ask(ANA);
    const count = direct(ANA).length;

    await person(ANA).click(request, 'Approve');
    const prompt = await nextDirect(ANA, count);
    const asked = world.slack.render(prompt);
    await signInAsLee(ANA, prompt);
    const decided = await decide(request, 'Approve', ANA);

    expect(asked).toContain('The request stays open.');
    expect(asked).toContain('press *Approve* again');
    expect(decided).toContain('*Verified*');
  });

  it.each([
    ['is who asked', KIM, 'Choose somebody else: nobody approves their own change.'],
    ['is no admin', 'U0GUEST', 'This is not an administrator of this app.'],
    ['is not named', '', 'This field is required.'],
  ])('is not sent where the approver %s', async (_, approver, sentence) => {
    const confirmation = await review();

    const { errors } = await person(KIM).submit(confirmation, { reason: REASON, approver });

    expect(errors.approver).toContain(sentence);
    expect(person(KIM).openView()?.callbackId).toBe('admin_limit_confirm');
  });

  it('is not asked for where the approver cannot be written to, and who asked hears that', async () => {
    const confirmation = await review();
    const told = readPrivate(world, KIM).length;
    world.slack.faults.next('chat.postMessage', { kind: 'slackError', error: 'restricted_action' });

    await person(KIM).submit(confirmation, { reason: REASON, approver: BEN });
    const message = world.slack.render(await nextPrivate(world, KIM, told));

    expect(message).toContain('Slack did not take my message to the approver');
  });

  it('of credits goes the same way', async () => {
    const request = await askForCredits();
    const before = readAllocated();

    const decided = await decide(request, 'Approve');

    expect(world.slack.render(request)).toContain('a change of the allocation of *Contoso Production*');
    expect(decided).toContain('*Verified*');
    expect(readAllocated()).toBe((before ?? 0) + 500);
  });
});

describe('a change that loosens nothing', () => {
  it('is made at once, by who confirms it', async () => {
    const confirmation = await review('900');
    const told = readPrivate(world, KIM).length;

    await person(KIM).submit(confirmation, { reason: REASON });
    const message = world.slack.render(await nextPrivate(world, KIM, told));

    expect(world.slack.render(confirmation)).not.toContain('Who approves?');
    expect(message).toContain('*Verified*');
    expect(readLimit()).toBe(900);
  });
});

describe('an old request', () => {
  it('is not carried out again where the app died in the middle of it, and both hear what became of it', async () => {
    const request = await ask();
    const count = direct(KIM).length;
    const stop = world.admin.onWritten(() => world.app.kill('SIGKILL'));
    await person(BEN).click(request, 'Approve');
    await world.slack.until(() => readLimit() === 2_000, { what: 'the write' });
    stop();
    const writes = countWrites();
    await restart({});

    const decided = await decide(request, 'Approve');
    const told = world.slack.render(await nextDirect(KIM, count));

    expect(decided).toContain('this app broke off in the middle');
    expect(told).toContain('approved your change');
    expect(told).toContain('give the command again: that shows what became of it');
    expect(countWrites()).toBe(writes);
  });

  it('is not decided by somebody who is no admin any more, nor for somebody who is none', async () => {
    const requests = { toAna: await ask(ANA), toBen: await ask(BEN, '3000') };
    const counts = { ana: direct(ANA).length, ben: direct(BEN).length };
    await restart({ ADMIN_USERS: 'U0BEN' });

    await person(ANA).click(requests.toAna, 'Approve');
    const refused = world.slack.render(await nextDirect(ANA, counts.ana));
    await person(BEN).click(requests.toBen, 'Approve');
    const gone = world.slack.render(await nextDirect(BEN, counts.ben));
    await restart({});

    expect(refused).toContain('Only administrators of this app may use');
    expect(gone).toContain('is not an administrator of this app any more');
    expect(readLimit()).toBe(1_000);
  });

  it('whose message is forged or unreadable is not decided', async () => {
    const request = await ask();
    const count = direct(BEN).length;
    const buttons = request.blocks.find(({ type }) => type === 'actions');
    const [approve] = (buttons?.elements ?? []) as { value: string }[];
    if (!approve) throw new Error('no button');
    approve.value = 'change:1';

    await person(BEN).click(request, 'Approve');
    const unreadable = world.slack.render(await nextDirect(BEN, count));
    approve.value = `of-nobody.${'0'.repeat(43)}`;
    const closed = await decide(request, 'Approve');

    expect(unreadable).toContain('This button cannot be read');
    expect(closed).toContain('This request is over');
    expect(readLimit()).toBe(1_000);
  });
});

async function readModal(text: string): Promise<string> {
  const shown = () => {
    const view = person(KIM).openView();
    return view ? world.slack.render(view) : '';
  };
  return world.slack.until(() => (shown().includes(text) ? shown() : undefined), { what: `a modal with “${text}”` });
}

async function restart(environment: Record<string, string>): Promise<void> {
  await world.app.kill('SIGTERM');
  world.app = await startAppProcess({
    ...world.environment,
    ...{ ADMIN_USERS: 'U0KIM,U0BEN,U0ANA', REQUIRE_SECOND_APPROVER: 'yes' },
    ...environment,
  });
}

function readAllocated(): number | undefined {
  const allocation = world.admin.state.allocations.get(PRODUCTION);
  return allocation?.currencyAllocations.find(({ currencyType }) => currencyType === CURRENCY)?.allocated;
}

/** Kim wants 500 credits more for production. */
async function askForCredits(): Promise<Message> {
  await person(KIM).command('/assistant-admin', `allocation ${PRODUCTION}`, 'C0GENERAL');
  const form = await awaitModal(world, KIM, 'admin_allocation');
  await person(KIM).submit(form, { 'Credits allocated': String((readAllocated() ?? 0) + 500) });
  const confirmation = await awaitModal(world, KIM, 'admin_allocation_confirm');
  const count = direct(BEN).length;
  await person(KIM).submit(confirmation, { reason: REASON, approver: BEN });
  return nextDirect(BEN, count);
}
