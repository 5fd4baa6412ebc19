// *Set one limit for all…* below `/assistant-admin limits`: the real app against the stand-ins.
import { DatabaseSync } from 'node:sqlite';
import { CURRENCY, toThresholdKey } from '@assistant-bridge/sandbox/admin/model.ts';
import { generateInventory } from '@assistant-bridge/sandbox/admin/seeds.ts';
import type { Message, View } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { awaitModal, closeModals, giveAdminCommand, readDirect } from '../app/administer.ts';
import { startAppProcess } from '../app/app-process.ts';
import { type AdminWorld, KIM, signInWithAccount, startAdminWorld } from './admin-world.ts';

const BEN = 'U0BEN';
const AGENTS = 60;
const FORM = 'admin_limits_set_all_form';
const PREVIEW = 'admin_review_correct_all_confirm';
const LIMIT = { limit: '500', notification_threshold: '75' };
const REASON = 'One limit for all until the budget is known';
const SETTINGS = { ADMIN_USERS: `${KIM},${BEN}`, REQUIRE_SECOND_APPROVER: 'yes' };

const inventory = generateInventory({ environments: 4, agents: AGENTS });

let world: AdminWorld;

beforeAll(async () => {
  world = await startAdminWorld({ admin: { thresholdList: true, ...inventory, thresholds: [] } }, SETTINGS);
  await signInWithAccount(world, BEN, 'lee', await giveAdminCommand(world, BEN, 'sign-in'));
});
beforeEach(() => {
  world.admin.state.thresholds.clear();
  world.admin.ledger.clear();
});
afterEach(() => closeModals(world, KIM));
afterAll(() => world.stop());

const render = (shown: Message | View | undefined) => (shown ? world.slack.render(shown as Message) : '');
const listLimits = () => [...world.admin.state.thresholds.values()].map(({ limit }) => limit);
const listPuts = () => world.admin.ledger.requests.filter(({ method }) => method === 'PUT').map(({ path }) => path);

/** The first so many agents have this limit. */
function setFirst(count: number, limit: number): void {
  for (const { environmentId = '', botId = '' } of inventory.agents.slice(0, count)) {
    world.admin.state.thresholds.set(toThresholdKey(environmentId, botId), {
      ...{ entitlementId: CURRENCY, environmentId, resourceId: botId, limit, notificationThreshold: 80 },
      ...{ notifyIfOverCapacity: true, stopIfOverCapacity: false, stopResource: false, resourceConsumption: 1 },
      createdOn: '2026-01-15T08:00:00Z',
    });
  }
}

/** From the list as far as the preview. */
async function preview(list: string, entries: Record<string, string> = LIMIT): Promise<View> {
  await closeModals(world, KIM);
  await world.slack.as(KIM).click(await giveAdminCommand(world, KIM, list), 'admin_limits_set_all');
  await world.slack.as(KIM).submit(await awaitModal(world, KIM, FORM), entries);
  return awaitModal(world, KIM, PREVIEW);
}

function awaitDirect(user: string, count: number, text: string): Promise<Message> {
  const find = () =>
    readDirect(world, user)
      .slice(count)
      .find((message) => render(message).includes(text));
  return world.slack.until(find, { what: `a direct message with “${text}”` });
}

/** As if ten minutes had gone by. */
function age(): void {
  const database = new DatabaseSync(world.environment.SQLITE_PATH ?? '');
  database.exec(
    "UPDATE documents SET body = json_set(body, '$.at', json_extract(body, '$.at') - 600000) WHERE key LIKE 'change:%'",
  );
  database.close();
}

async function restart(): Promise<void> {
  await world.app.kill('SIGKILL');
  age();
  world.app = await startAppProcess({ ...world.environment, ...SETTINGS });
}

describe('Set one limit for all…', () => {
  it('stands under a list of several agents, and looks at all of its pages', async () => {
    setFirst(20, 9_000);
    const list = await giveAdminCommand(world, KIM, 'limits none');

    const shown = render(await preview('limits none'));

    expect(render(list)).toContain('[Set one limit for all 40…]');
    expect(shown).toContain('*40 changes* to one limit: *500* credits a month, notice at 75 %, does not stop.');
    expect(shown).toContain('Looked at: 40 agents without a limit.');
    expect(shown).toContain('40 agents without a limit: get their first one');
    expect(shown).not.toContain('Who approves?');
    expect(listPuts()).toEqual([]);
  });

  it('says at its field what is wrong with a limit', async () => {
    await world.slack.as(KIM).click(await giveAdminCommand(world, KIM, 'limits'), 'admin_limits_set_all');

    const { errors } = await world.slack.as(KIM).submit(await awaitModal(world, KIM, FORM), { limit: '-1' });

    expect(errors.limit).toContain('cannot be negative');
  });

  it('sets each limit once, though the app is killed in the middle, and reports, also as a file', async () => {
    const form = await preview('limits none');
    const count = readDirect(world, KIM).length;
    const { promise: enough, resolve } = Promise.withResolvers<void>();
    const stopWatching = world.admin.onWritten(() => {
      if (world.admin.state.thresholds.size >= 20) resolve();
    });

    await world.slack.as(KIM).submit(form, { reason: REASON });
    await enough;
    stopWatching();
    await restart();
    const report = await awaitDirect(KIM, count, 'changes made');
    await world.slack.as(KIM).click(report, 'Export CSV');
    const sent = await awaitDirect(KIM, count, 'Export of bulk');

    expect(render(report)).toContain(`${AGENTS} of ${AGENTS} changes made, and read back.`);
    expect(listLimits()).toEqual(Array(AGENTS).fill(500));
    expect(listPuts()).toHaveLength(AGENTS);
    expect(new Set(listPuts()).size).toBe(AGENTS);
    expect(render(sent)).toContain(`${AGENTS} rows`);
  });

  it('sets the limit in another currency, where the environments have credits of several', async () => {
    for (const [id, one] of world.admin.state.allocations) {
      const others = one.currencyAllocations.map((usual) => ({ ...usual, currencyType: 'OtherCredits' }));
      const currencyAllocations = [...one.currencyAllocations, ...others];
      world.admin.state.allocations.set(id, { ...one, currencyAllocations });
    }
    const form = await preview('limits env:"Environment 1"', { ...LIMIT, currency: 'OtherCredits' });
    const count = readDirect(world, KIM).length;

    await world.slack.as(KIM).submit(form, { reason: REASON });
    const report = render(await awaitDirect(KIM, count, 'changes made'));

    expect(render(form)).toContain('does not stop (OtherCredits). Looked at: 15 agents');
    expect(report).toContain('15 of 15 changes made, and read back.');
    expect(new Set([...world.admin.state.thresholds.values()].map(({ entitlementId }) => entitlementId))).toEqual(
      new Set(['OtherCredits']),
    );
  });

  it('asks a second admin once for all where it raises some, also across a kill', async () => {
    setFirst(10, 100);
    const form = await preview('limits');
    const [count, asked] = [readDirect(world, KIM).length, readDirect(world, BEN).length];
    await world.slack.as(KIM).submit(form, { reason: REASON, approver: BEN });
    const request = await awaitDirect(BEN, asked, 'asks you to approve');
    const [before, shown] = [listPuts(), render(request)];
    const file = await awaitDirect(BEN, asked, 'needs your approval of a bulk change of 60 settings');
    const rows = String(world.slack.workspace.files.get(String(file.files?.[0]?.id))?.content)
      .trimEnd()
      .split('\r\n');
    await restart();

    await world.slack.as(BEN).click(request, 'Approve all 60');
    const report = await awaitDirect(KIM, count, 'changes made');
    const ended = await awaitDirect(BEN, asked, 'that you approved has ended');

    expect(render(form)).toContain('10 of 60 changes allow more than before, or may. All of it begins once');
    expect(shown).toContain('a bulk change of 60 settings');
    expect(shown).toContain('10 of 60 changes allow more than before');
    expect(shown).toContain('Monthly limit 100 credits → *500 credits*');
    expect(shown).toContain(`Reason: ${REASON}`);
    expect(shown).toContain('and 2 more');
    expect(shown).toContain('*60 in all, old and new, are in the file above.* This message shows a part.');
    expect(rows).toHaveLength(AGENTS + 1);
    expect(rows.filter((row) => row.includes('100 credits → 500 credits'))).toHaveLength(10);
    expect(before).toEqual([]);
    expect(render(report)).toContain(`${AGENTS} of ${AGENTS} changes made, and read back.`);
    expect(render(ended)).toContain('60 of 60 changes made');
    expect(listLimits()).toEqual(Array(AGENTS).fill(500));
    const writers = world.admin.ledger.requests.filter(({ method }) => method === 'PUT').map(({ subject }) => subject);
    expect(new Set(writers)).toEqual(new Set(['lee']));
  });

  it('makes what loosens nothing where nobody is named, and says what it left out', async () => {
    setFirst(10, 100);
    const form = await preview('limits');
    const count = readDirect(world, KIM).length;

    await world.slack.as(KIM).submit(form, { reason: REASON });
    const report = render(await awaitDirect(KIM, count, 'changes made'));

    expect(report).toContain('50 of 60 changes made, and read back.');
    expect(report).toContain('10 *Skipped*: it allows more than before, or may, and no second admin');
    expect(listLimits().filter((limit) => limit === 100)).toHaveLength(10);
  });

  it('changes nothing where the second admin rejects it, and tells why; a file that was not sent is not there', async () => {
    world.slack.registration.scopes.delete('files:write');
    setFirst(60, 100);
    const form = await preview('limits');
    const [count, asked] = [readDirect(world, KIM).length, readDirect(world, BEN).length];
    await world.slack.as(KIM).submit(form, { reason: REASON, approver: BEN });
    const request = await awaitDirect(BEN, asked, 'asks you to approve');
    const shown = render(request);
    world.slack.registration.scopes.add('files:write');

    await world.slack.as(BEN).click(request, 'Reject');
    const why = await awaitModal(world, BEN, 'admin_approval_reject_form');
    await world.slack.as(BEN).submit(why, { reason: 'Not before spring, please.' });
    const told = render(await awaitDirect(KIM, count, '*Rejected*'));

    expect(render(form)).toContain('[Ask for approval]');
    expect(shown).toContain('are in the file that I could not send.* This message shows a part: press *Export');
    expect(told).toContain('Not before spring, please.');
    expect(listPuts()).toEqual([]);
  });
});
