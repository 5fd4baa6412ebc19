import { DatabaseSync } from 'node:sqlite';
import type { AdminFault } from '@assistant-bridge/sandbox/admin/faults.ts';
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
  readPrivate,
} from '../app/administer.ts';
import { type AdminWorld, KIM, startAdminWorld, WHY } from './admin-world.ts';

const [PRODUCTION = '', MAKERS = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

let world: AdminWorld;

beforeAll(async () => {
  world = await startAdminWorld({ admin: { thresholdList: true } });
  const odd = { name: 'agent-7', displayName: `Bob's "R&D" <Bot>`, environmentId: MAKERS, ownerId: 'o', botId: `b'7` };
  world.admin.state.agents.push(odd);
});
afterEach(async () => {
  world.admin.faults.clear();
  world.slack.faults.clear();
  await closeModals(world, KIM);
});
afterAll(() => world.stop());

const kim = () => world.slack.as(KIM);
const find = (environment: string, bot: string) => world.admin.state.thresholds.get(toThresholdKey(environment, bot));
const countWrites = () => world.admin.ledger.count(({ method }) => method === 'PUT');

/** What the modal in front of Kim says, once it says how it ended. */
async function readOutcomeModal(): Promise<string> {
  const isOver = (view: View | undefined) => view && !world.slack.render(view).includes('Setting the limit of');
  return world.slack.render(await world.slack.until(() => (isOver(kim().openView()) ? kim().openView() : undefined)));
}

function put(environmentId: string, resourceId: string, values: Partial<Threshold> = {}): void {
  world.admin.state.thresholds.set(toThresholdKey(environmentId, resourceId), {
    ...{ entitlementId: CURRENCY, environmentId, resourceId, limit: 1_000, notificationThreshold: 80 },
    ...{ notifyIfOverCapacity: true, stopIfOverCapacity: false, stopResource: false, resourceConsumption: 0 },
    createdOn: '2026-01-15T08:00:00Z',
    ...values,
  });
}

/** The form of Travel Planner, which runs and has a limit of 1,000. */
async function openTravelPlanner(): Promise<View> {
  put(PRODUCTION, 'bot-2');
  return openLimitModal(world, KIM, 'Travel Planner');
}

/** Fills the form, and goes as far as the confirmation. */
async function review(form: View, limit: string): Promise<View> {
  await kim().submit(form, { limit });
  return awaitModal(world, KIM, 'admin_limit_confirm');
}

describe('the commands', () => {
  it('names what to try instead of a word that is none', async () => {
    expect(await world.tell('nonsense')).toBe('I do not know `nonsense`. Try `review`, `limits` or `help`.');
  });

  it.each(['', 'help'])('answers “%s” with its usage', async (text) => {
    const answer = await world.tell(text);

    expect(answer).toContain('sets the limit of one agent; part of its name is enough');
  });

  it('are acknowledged at once, however long the service takes', async () => {
    world.admin.faults.next('delay', { on: 'query', ms: 700 });
    const count = readPrivate(world, KIM).length;

    const { error } = await kim().command('/assistant-admin', 'limits', 'C0GENERAL');
    const before = readPrivate(world, KIM).length;
    const list = await nextPrivate(world, KIM, count);

    expect(error).toBeUndefined();
    expect(before).toBe(count);
    expect(list.text).toContain('*Agent limits*');
  });

  it.each([`Bob's "R&D" <Bot>`, `"Bob's "R&D" <Bot>"`, `“Bob’s “R&D”`, `r&d`])('find an agent by %s', async (name) => {
    const form = await openLimitModal(world, KIM, name);

    expect(world.slack.render(form)).toContain(`*Bob's "R&D" <Bot>* in Ana's "Makers" lab`);
    expect(await world.tell(`limits ${name}`)).toContain(`Bob's "R&D" <Bot>`);
  });

  it('ask which one is meant where several fit', async () => {
    const choice = await openLimitModal(world, KIM, 'invoice reader');
    const shown = world.slack.render(choice);

    await kim().clickInView(choice, 'Set limit…');
    const form = await awaitModal(world, KIM, 'admin_limit');

    expect(shown).toContain('2 agents fit “invoice reader”');
    expect(world.slack.render(form)).toContain(`*Invoice Reader* in Ana's "Makers" lab`);
    expect(await world.set(form, { limit: '210' })).toContain('Verified');
  });

  it('say where none fits', async () => {
    const modal = await openLimitModal(world, KIM, '<!channel> nobody');

    expect(world.slack.render(modal)).toContain('No agent fits “');
    expect(world.slack.workspace.notifications).toEqual([]);
  });

  it.each<[AdminFault, string]>([
    ['403', 'does not allow this to your account'],
    ['429-seconds', 'has too much to do. Try again in 30 seconds.'],
    ['html', 'does not answer at the moment'],
    ['not-json', 'in a way this app cannot read'],
    ['reset', 'does not answer at the moment'],
  ])('turn %s into a sentence', async (fault, sentence) => {
    world.admin.faults.always(fault, { on: 'query', retryAfterS: 30 });

    const list = await world.tell('limits');
    const modal = await openLimitModal(world, KIM, 'Spec Writer');

    expect(list).toContain(sentence);
    expect(world.slack.render(modal)).toContain(sentence);
  });

  it('say that they still look, and give up in words where the service is silent', async () => {
    world.admin.faults.always('delay', { on: 'query', ms: 15_000 });

    const first = await giveAdminCommand(world, KIM, 'limits');
    const answer = await nextPrivate(world, KIM, readPrivate(world, KIM).length);

    expect(first.text).toBe('Still looking that up…');
    expect(answer.text).toContain('does not answer at the moment');
  });
});

describe('setting a limit', () => {
  it('shows old → new, writes the complete threshold, reads it back, and says so in both places', async () => {
    const form = await openTravelPlanner();
    await kim().submit(form, { limit: '2,500', notification_threshold: '90 %', stop_when_reached: ['yes'] });
    const plan = world.slack.render(await awaitModal(world, KIM, 'admin_limit_confirm'));
    const untouched = find(PRODUCTION, 'bot-2')?.limit;
    const count = readPrivate(world, KIM).length;
    world.admin.ledger.clear();

    const confirmation = await awaitModal(world, KIM, 'admin_limit_confirm');
    const { view } = await kim().submit(confirmation, WHY);
    const message = await nextPrivate(world, KIM, count);

    expect(plan).toContain('Monthly limit: 1,000 credits → *2,500 credits*');
    expect(untouched).toBe(1_000);
    expect(view && world.slack.render(view)).toContain('Setting the limit of *Travel Planner*');
    expect(message.text).toContain('*Verified*');
    expect(await readOutcomeModal()).toContain('*Verified*');
    expect(world.admin.ledger.requests.find(({ method }) => method === 'PUT')?.body).toEqual({
      stopResource: false,
      limit: 2_500,
      stopIfOverCapacity: true,
      notifyIfOverCapacity: true,
      notificationThreshold: 90,
    });
  });

  it('may be in another currency of the environment, which leaves the usual one alone', async () => {
    const form = await openTravelPlanner();
    const shown = world.slack.render(form);
    world.admin.ledger.clear();

    await kim().clickInView(form, 'admin_limit_currency', 'AI');
    const other = await world.slack.until(() => {
      const view = kim().openView();
      return view && world.slack.render(view).includes('(AI)') ? view : undefined;
    });
    await kim().submit(other, { limit_AI: '0.5', notification_threshold_AI: '0' });
    const confirmation = await awaitModal(world, KIM, 'admin_limit_confirm');
    const plan = world.slack.render(confirmation);
    const count = readPrivate(world, KIM).length;
    await kim().submit(confirmation, WHY);
    const outcome = world.slack.render(await nextPrivate(world, KIM, count));

    expect(shown).toContain('Limit in the currency');
    expect(plan).toContain('*Travel Planner* in Contoso Production (AI)');
    expect(plan).toContain('Monthly limit: none → *0.5 credits*');
    expect(outcome).toContain('*Verified*: the limit of *Travel Planner* in Contoso Production (AI) is set');
    expect(world.admin.state.thresholds.get(toThresholdKey(PRODUCTION, 'bot-2', 'AI'))).toMatchObject({ limit: 0.5 });
    expect(find(PRODUCTION, 'bot-2')?.limit).toBe(1_000);
    expect(await world.tell('audit')).toContain('Contoso Production (AI)');
  });

  it('keeps what is there as it is, whatever number it is', async () => {
    put(PRODUCTION, 'bot-2', { limit: 3e9, notificationThreshold: 0, notifyIfOverCapacity: false });
    const form = await openLimitModal(world, KIM, 'Travel Planner');
    const outcome = await world.set(form, { stop_when_reached: ['yes'] });

    expect(outcome).toContain('*Verified*');
    expect(find(PRODUCTION, 'bot-2')).toMatchObject({ limit: 3e9, notificationThreshold: 0, stopIfOverCapacity: true });
  });

  it('closes the form below together with the outcome', async () => {
    const confirmation = await review(await openTravelPlanner(), '1100');
    await kim().submit(confirmation, WHY);
    await readOutcomeModal();

    const outcome = kim().openView();
    if (outcome) await kim().closeView(outcome);

    expect(kim().openView()).toBeUndefined();
  });

  it.each([
    ['-5', 'A limit cannot be negative'],
    ['1.000', 'This can mean a thousand times as much'],
    ['lots', 'Enter digits only'],
    ['99999999999999999999', 'This is too large'],
  ])('refuses %s at its field', async (limit, sentence) => {
    const form = await openTravelPlanner();

    const { errors } = await kim().submit(form, { limit, notification_threshold: '180' });

    expect(errors.limit).toContain(sentence);
    expect(errors.notification_threshold).toContain('from 0 to 100');
    expect(find(PRODUCTION, 'bot-2')?.limit).toBe(1_000);
  });

  it('keeps an agent stopped that somebody stopped, unless told otherwise', async () => {
    const form = await openLimitModal(world, KIM, 'Spec Writer');
    const { sent, errors } = await kim().submit(form, { limit: '600' });

    const outcome = await world.set(form, { stop_decision: 'Keep it stopped' });

    expect([sent, errors.stop_decision]).toEqual([false, 'This field is required.']);
    expect(outcome).toContain('Verified');
    expect(find(MAKERS, 'bot-4')).toMatchObject({ limit: 600, stopResource: true });
  });

  it('writes once where the confirmation is sent twice', async () => {
    const confirmation = await review(await openTravelPlanner(), '1200');
    const [writes, messages] = [countWrites(), readPrivate(world, KIM).length];

    await Promise.all([kim().submit(confirmation, WHY), kim().submit(confirmation, WHY)]);
    await nextPrivate(world, KIM, messages);
    await readOutcomeModal();

    expect(countWrites() - writes).toBe(1);
    expect(readPrivate(world, KIM).slice(messages)).toHaveLength(1);
  });

  it('stops where somebody else changed the limit meanwhile', async () => {
    const form = await openTravelPlanner();
    const confirmation = await review(form, '1300');
    put(PRODUCTION, 'bot-2', { limit: 1_050 });
    const count = readPrivate(world, KIM).length;

    await kim().submit(confirmation, WHY);
    const message = world.slack.render(await nextPrivate(world, KIM, count));

    expect(message).toContain('*Conflict*: somebody changed the limit of *Travel Planner*');
    expect(message).toContain('Found: *1,050* credits');
    expect(find(PRODUCTION, 'bot-2')?.limit).toBe(1_050);
  });

  it.each<[AdminFault, string]>([
    ['403', 'does not allow this to your account: it lacks the right to set the limits of agents'],
    ['429-date', 'has too much to do'],
    ['400', 'refused this. It says: The request is invalid.'],
  ])('says that nothing was changed where the service answers %s', async (fault, sentence) => {
    const form = await openTravelPlanner();
    world.admin.faults.next(fault, { on: 'write-threshold' });

    const outcome = await world.set(form, { limit: '1400' });

    expect(outcome).toContain('*Failed*: the limit of *Travel Planner* in Contoso Production was not changed.');
    expect(outcome).toContain(sentence);
    expect(find(PRODUCTION, 'bot-2')?.limit).toBe(1_000);
  });

  it.each<[AdminFault, string]>([
    ['html', '*Applied, not verified*: the limit of *Travel Planner* in Contoso Production may or may not be set'],
    ['500', 'The service answered with an error that does not say whether it was made'],
    ['reset-after-processing', '*Verified*'],
  ])('looks what became of a write whose answer was lost (%s)', async (fault, sentence) => {
    const form = await openTravelPlanner();
    world.admin.faults.next(fault, { on: 'write-threshold' });

    const outcome = await world.set(form, { limit: '1500' });

    expect(outcome).toContain(sentence);
  });

  it('says where it could not be read back', async () => {
    const form = await openTravelPlanner();
    const stop = world.admin.onWritten(() => world.admin.faults.next('400', { on: 'list-thresholds' }));

    const outcome = await world.set(form, { limit: '1600' });
    stop();

    expect(outcome).toContain('*Applied, not verified*: the service took the limit');
    expect(outcome).toContain('Reading it back failed.');
  });

  it('does nothing while its record cannot be written, and says so', async () => {
    const confirmation = await review(await openTravelPlanner(), '1700');
    const count = readPrivate(world, KIM).length;
    const writes = countWrites();
    const database = new DatabaseSync(world.environment.SQLITE_PATH ?? '');
    database.exec('BEGIN IMMEDIATE');

    await kim().submit(confirmation, WHY);
    const message = await nextPrivate(world, KIM, count);
    const modal = await readOutcomeModal();
    database.exec('ROLLBACK');
    database.close();

    expect(message.text).toContain('Nothing was done');
    expect(modal).toContain('Nothing was done');
    expect(countWrites()).toBe(writes);
  });

  it('tells the outcome in a direct message where Slack does not take the answer any more', async () => {
    const form = await openTravelPlanner();
    const used = world.slack.ledger.deliveries({ type: '/assistant-admin' }).at(-1)?.payload as {
      response_url: string;
    };
    for (let use = 0; use < 5; use += 1) {
      await fetch(used.response_url, { method: 'POST', body: '{"text":"used"}' });
    }

    await kim().submit(await review(form, '1800'), WHY);
    const message = await world.slack.until(() =>
      kim()
        .sees(kim().dm)
        .find(({ text }) => text.includes('*Verified*')),
    );

    expect(message.text).toContain('Travel Planner');
  });
});
