import { CURRENCY, type Threshold, toThresholdKey } from '@assistant-bridge/sandbox/admin/model.ts';
import { SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import type { View } from '@assistant-bridge/sandbox/slack/records.ts';
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
import { type AdminWorld, KIM, signInWithAccount, startAdminWorld, WHY } from './admin-world.ts';

const BEN = 'U0BEN';
const [PRODUCTION = '', MAKERS = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

let world: AdminWorld;

const kim = () => world.slack.as(KIM);
const find = (environment: string, bot: string) => world.admin.state.thresholds.get(toThresholdKey(environment, bot));
const readWritten = () => world.admin.ledger.requests.filter(({ method }) => method === 'PUT').map(({ body }) => body);

function put(environmentId: string, resourceId: string, values: Partial<Threshold> = {}): void {
  world.admin.state.thresholds.set(toThresholdKey(environmentId, resourceId), {
    ...{ entitlementId: CURRENCY, environmentId, resourceId, limit: 82.5, notificationThreshold: 12.5 },
    ...{ notifyIfOverCapacity: false, stopIfOverCapacity: true, stopResource: false, resourceConsumption: 0 },
    createdOn: '2026-01-15T08:00:00Z',
    ...values,
  });
}

/** Presses the button in the first row of a list, and waits for what it opens. */
async function press(list: string, button: string, callbackId = 'admin_stop_confirm'): Promise<View> {
  const message = await giveAdminCommand(world, KIM, list);
  await kim().click(message, button);
  return awaitModal(world, KIM, callbackId);
}

/** For what opens a modal. */
const command = (text: string) => kim().command('/assistant-admin', text, 'C0GENERAL');

async function confirm(confirmation: View): Promise<string> {
  const count = readPrivate(world, KIM).length;
  await kim().submit(confirmation, WHY);
  return world.slack.render(await nextPrivate(world, KIM, count));
}

afterEach(async () => {
  world.admin.faults.clear();
  world.admin.ledger.clear();
  await closeModals(world, KIM);
});

describe('an agent that runs wild', () => {
  beforeAll(async () => {
    world = await startAdminWorld({ admin: { thresholdList: true } });
  });
  afterAll(() => world.stop());

  it('is stopped from a list, with its limit as it is, and runs again from there', async () => {
    put(PRODUCTION, 'bot-2');
    const confirmation = await press('limits Travel Planner', 'Stop now…');
    const plan = world.slack.render(confirmation);

    const stopped = await confirm(confirmation);
    const [afterStop] = readWritten();
    await closeModals(world, KIM);
    const listed = await world.tell('limits Travel Planner');
    const again = await confirm(await press('limits Travel Planner', 'Run again…'));

    expect(plan).toContain('Stopped: no → *yes*');
    expect(plan).toContain('Monthly limit: 82.5 credits (unchanged)');
    expect(plan).toContain('The agent stops now, for everybody.');
    expect(stopped).toContain('*Verified*: *Travel Planner* in Contoso Production is stopped, and was read back.');
    expect(afterStop).toEqual({
      stopResource: true,
      limit: 82.5,
      stopIfOverCapacity: true,
      notifyIfOverCapacity: false,
      notificationThreshold: 12.5,
    });
    expect(listed).toContain('*stopped now*');
    expect(listed).not.toContain('[Stop now…]');
    expect(again).toContain('*Verified*: *Travel Planner* in Contoso Production may run again');
    expect(find(PRODUCTION, 'bot-2')).toMatchObject({ stopResource: false, limit: 82.5 });
    const log = await world.tell('audit');
    expect(log).toContain('*Stop of an agent*');
    expect(log).toContain('*Agent to run again*');
    expect(log).toContain('Stopped: no → *yes*');
    expect(log).toContain(`Reason: ${WHY.reason}`);
  });

  it('is stopped from the list of agents, and from the form of its limit', async () => {
    put(PRODUCTION, 'bot-2');
    const fromAgents = await press('agents Travel Planner', 'Stop now…');
    await kim().closeView(fromAgents);

    await kim().clickInView(await openLimitModal(world, KIM, 'Travel Planner'), 'Stop now…');
    const outcome = await confirm(await awaitModal(world, KIM, 'admin_stop_confirm'));

    expect(world.slack.render(fromAgents)).toContain('Stopped: no → *yes*');
    expect(outcome).toContain('*Travel Planner* in Contoso Production is stopped');
    expect(find(PRODUCTION, 'bot-2')?.stopResource).toBe(true);
  });

  it('is not stopped twice: that it is stopped is said, with the way back', async () => {
    put(PRODUCTION, 'bot-2', { stopResource: true });

    const modal = await press('agents Travel Planner', 'Stop now…', 'admin_stop_already');
    await kim().clickInView(modal, 'Run again…');
    const outcome = await confirm(await awaitModal(world, KIM, 'admin_stop_confirm'));

    expect(world.slack.render(modal)).toContain('*Travel Planner* in Contoso Production is stopped already');
    expect(outcome).toContain('may run again, and was read back');
  });

  it('is stopped, and runs again, by a command that names it', async () => {
    put(PRODUCTION, 'bot-2');

    await command('stop Travel Planner');
    const stopped = await confirm(await awaitModal(world, KIM, 'admin_stop_confirm'));
    await closeModals(world, KIM);
    await command('run "Travel Planner"');
    const again = await confirm(await awaitModal(world, KIM, 'admin_stop_confirm'));

    expect(stopped).toContain('*Travel Planner* in Contoso Production is stopped, and was read back');
    expect(again).toContain('*Travel Planner* in Contoso Production may run again');
  });

  it('is chosen among several that the command fits, and searched without a name', async () => {
    await command('stop e');
    const choice = await awaitModal(world, KIM, 'admin_limit_choice');
    await closeModals(world, KIM);
    await command('stop');
    const search = await awaitModal(world, KIM, 'admin_search');

    expect(world.slack.render(choice)).toContain('[Stop now…]');
    expect(world.slack.render(search)).toContain('Stop or run an agent');
  });

  it('runs again only when no currency stops it any more', async () => {
    put(PRODUCTION, 'bot-2');
    const ai = toThresholdKey(PRODUCTION, 'bot-2', 'AI');
    const usual = find(PRODUCTION, 'bot-2');
    if (usual) world.admin.state.thresholds.set(ai, { ...usual, entitlementId: 'AI', stopResource: true });

    const form = await openLimitModal(world, KIM, 'Travel Planner');
    await kim().clickInView(form, 'Run again…');
    const outcome = await confirm(await awaitModal(world, KIM, 'admin_stop_confirm'));
    const log = await world.tell('audit');
    const isStoppedByAi = world.admin.state.thresholds.get(ai)?.stopResource;
    world.admin.state.thresholds.delete(ai);

    expect(world.slack.render(form)).toContain('*stopped by its limit in AI*');
    expect(world.slack.render(form)).toContain('A limit in another currency stops this agent');
    expect(outcome).toContain('*Travel Planner* in Contoso Production (AI) may run again, and was read back');
    expect(log).toContain('Contoso Production (AI)');
    expect(isStoppedByAi).toBe(false);
  });

  it('that had no limit has none after a stop, in the lists as well', async () => {
    world.admin.state.thresholds.delete(toThresholdKey(PRODUCTION, 'bot-2'));
    await confirm(await press('limits Travel Planner', 'Stop now…'));
    await closeModals(world, KIM);

    const listed = await world.tell('limits none Travel Planner');

    expect(listed).toContain('none (*0* credits that neither notify nor stop) · *stopped now*');
  });

  it('is not stopped over a limit that somebody else has just set', async () => {
    put(PRODUCTION, 'bot-2');
    const confirmation = await press('limits Travel Planner', 'Stop now…');
    put(PRODUCTION, 'bot-2', { limit: 90 });

    const outcome = await confirm(confirmation);

    expect(outcome).toContain('*Conflict*: somebody changed the state of *Travel Planner*');
    expect(find(PRODUCTION, 'bot-2')).toMatchObject({ limit: 90, stopResource: false });
  });

  it('may or may not be stopped where the service reports an internal error', async () => {
    put(PRODUCTION, 'bot-2');
    world.admin.faults.next('500', { on: 'write-threshold' });

    const outcome = await confirm(await press('limits Travel Planner', 'Stop now…'));

    expect(outcome).toContain('*Travel Planner* in Contoso Production may or may not be stopped.');
    expect(outcome).toContain('The service answered with an error that does not say');
    expect(outcome).not.toContain('in time');
  });
});

describe('on a service that shows no limits', () => {
  beforeAll(async () => {
    world = await startAdminWorld();
  });
  afterAll(() => world.stop());

  it('an agent is stopped with the limit that is typed, then runs again with the same', async () => {
    const form = await press('limits Spec Writer', 'Stop now…', 'admin_stop');
    const asked = world.slack.render(form);

    await kim().submit(form, { limit: '0.5' });
    const stopped = await confirm(await awaitModal(world, KIM, 'admin_stop_confirm'));
    await closeModals(world, KIM);
    const listed = await world.tell('limits Spec Writer');
    const confirmation = await press('limits Spec Writer', 'Run again…');
    const again = await confirm(confirmation);

    expect(asked).toContain('The service takes *stop* only together with a complete limit');
    expect(asked).toContain('Credits a month: [0]');
    expect(stopped).toContain('*Applied, not verified*: the service took the stop of *Spec Writer*');
    expect(stopped).toContain('does not show whether agents are stopped');
    expect(listed).toContain('*stopped from here*');
    expect(world.slack.render(confirmation)).toContain('the one last set from here goes along');
    expect(again).toContain('the service took that *Spec Writer* in');
    expect(readWritten()).toMatchObject([
      { stopResource: true, limit: 0.5 },
      { stopResource: false, limit: 0.5 },
    ]);
    expect(find(MAKERS, 'bot-4')).toMatchObject({ stopResource: false, limit: 0.5 });
  });
});

describe('on a service whose read of limits fails', () => {
  beforeAll(async () => {
    world = await startAdminWorld({ admin: { thresholdList: true } });
    await world.set(await openLimitModal(world, KIM, 'Travel Planner'), { limit: '90' });
  });
  afterEach(() => world.admin.state.thresholds.clear());
  afterAll(() => world.stop());

  it('an agent is stopped with the limit that is typed, where none is known', async () => {
    world.admin.faults.next('400', { on: 'list-thresholds', times: 1_000 });
    await command('stop Spec Writer');
    await kim().submit(await awaitModal(world, KIM, 'admin_stop'), { limit: '0.5' });

    await confirm(await awaitModal(world, KIM, 'admin_stop_confirm'));

    expect(find(MAKERS, 'bot-4')).toMatchObject({ stopResource: true, limit: 0.5 });
  });

  const unreadable = ['400', '410', '422', '429-seconds', '500', 'html', 'reset'] as const;

  it.each(unreadable)('an agent is stopped all the same: %s', async (fault) => {
    world.admin.faults.next(fault, { on: 'list-thresholds', times: 1_000 });
    await command('stop Travel Planner');
    const confirmation = await awaitModal(world, KIM, 'admin_stop_confirm');

    await confirm(confirmation);

    expect(find(PRODUCTION, 'bot-2')).toMatchObject({ stopResource: true, limit: 90 });
  });

  it.each(['410', '429-seconds', '500'] as const)('a limit is set all the same: %s', async (fault) => {
    world.admin.faults.next(fault, { on: 'list-thresholds', times: 1_000 });
    const form = await openLimitModal(world, KIM, 'Travel Planner');

    const outcome = await world.set(form, { limit: '700', stop_decision: 'not_stopped' });

    expect(outcome).toContain('*Applied, not verified*: the service took the limit of *Travel Planner*');
    expect(find(PRODUCTION, 'bot-2')).toMatchObject({ stopResource: false, limit: 700 });
  });

  it('an agent is stopped though the read worked for the plan alone', async () => {
    put(PRODUCTION, 'bot-2');
    const confirmation = await press('limits Travel Planner', 'Stop now…');
    world.admin.faults.next('500', { on: 'list-thresholds', times: 1_000 });

    await confirm(confirmation);

    expect(find(PRODUCTION, 'bot-2')).toMatchObject({ stopResource: true, limit: 82.5 });
  });
});

describe('with a second approver', () => {
  beforeAll(async () => {
    world = await startAdminWorld(
      { admin: { thresholdList: true } },
      { ADMIN_USERS: `${KIM},${BEN}`, REQUIRE_SECOND_APPROVER: 'yes' },
    );
    await signInWithAccount(world, BEN, 'lee', await giveAdminCommand(world, BEN, 'sign-in'));
  });
  afterAll(() => world.stop());

  it('a stop waits for nobody, and running again waits for the other', async () => {
    put(PRODUCTION, 'bot-2');
    const stopped = await confirm(await press('limits Travel Planner', 'Stop now…'));
    await closeModals(world, KIM);
    const confirmation = await press('limits Travel Planner', 'Run again…');
    const count = readPrivate(world, KIM).length;
    await kim().submit(confirmation, { ...WHY, approver: BEN });
    await nextPrivate(world, KIM, count);
    const request = await world.slack.until(() =>
      readDirect(world, BEN).find(({ text }) => text.includes('asks you to approve a change of the state of')),
    );
    const isStillStopped = find(PRODUCTION, 'bot-2')?.stopResource;

    await world.slack.as(BEN).click(request, 'Approve');
    await world.slack.until(() => (find(PRODUCTION, 'bot-2')?.stopResource ? undefined : true));
    const told = await world.slack.until(() =>
      readDirect(world, KIM).find(({ text }) => text.includes('approved your change')),
    );

    expect(stopped).toContain('is stopped, and was read back');
    expect(world.slack.render(request)).toContain('Stopped: yes → *no*');
    expect(isStillStopped).toBe(true);
    expect(told.text).toContain('It was sent with their account.');
  });

  it('the first limit of an agent that a stop left without one waits for nobody', async () => {
    world.admin.state.thresholds.delete(toThresholdKey(MAKERS, 'bot-4'));
    await confirm(await press('limits Spec Writer', 'Stop now…'));
    await closeModals(world, KIM);
    const form = await openLimitModal(world, KIM, 'Spec Writer');
    await kim().submit(form, { limit: '500', stop_decision: 'keep_stopped', stop_when_reached: ['yes'] });
    const confirmation = await awaitModal(world, KIM, 'admin_limit_confirm');
    const outcome = await confirm(confirmation);

    expect(world.slack.render(confirmation)).not.toContain('The limit is raised');
    expect(outcome).toContain('*Verified*: the limit of *Spec Writer*');
    expect(find(MAKERS, 'bot-4')).toMatchObject({ limit: 500, stopResource: true });
  });
});
