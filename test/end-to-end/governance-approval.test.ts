// The second administrator: who may approve what, and until when. What is approved is what was shown.
import { DatabaseSync } from 'node:sqlite';
import type { Json, Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { describe, expect, it } from 'vitest';
import { awaitModal, readDirect, readPrivate } from '../app/administer.ts';
import { ANA, BEN, KIM, signInWithAccount, WHY } from './admin-world.ts';
import { shareTableWorld } from './governance-table.ts';

const world = shareTableWorld({ ADMIN_USERS: `S0ADMINS,${BEN},${ANA}`, REQUIRE_SECOND_APPROVER: 'yes' });

const limitOf = () => world.read('limit', 0);

/** Kim asks Ben for a higher limit, which comes to nothing: each asks for another one. */
async function ask(credits: number, agent = 'limit-0'): Promise<Message> {
  const before = new Set(readDirect(world, BEN).map(({ ts }) => ts));
  const form = await world.open(`limit "Agent ${agent}" ${credits}`);
  expect(world.render(await world.decide(form, { approver: BEN }))).toContain('@ben was asked to approve a change');
  const find = () =>
    readDirect(world, BEN).find((one) => !before.has(one.ts) && world.render(one).includes('[Approve]'));
  return world.slack.until(find, { what: 'a request to Ben' });
}

const approve = (request: Message, fits: RegExp) =>
  world.awaitSaid(() => world.slack.as(BEN).click(request, 'Approve'), fits, BEN).then(world.render);

describe('a second administrator', () => {
  it('is another one: not oneself, and an administrator', async () => {
    const form = await world.open('limit "Agent limit-0" 900');
    const errors = async (approver: string) =>
      (await world.slack.as(KIM).submit(form, { reason: WHY, approver })).errors.approver;

    expect(await errors(KIM)).toBeTruthy();
    expect(await errors('U0GUEST')).toBeTruthy();
    expect((await world.slack.as(KIM).submit(form, { reason: WHY })).errors).toHaveProperty('approver');
  });

  it('signs in first, and not with the account of who asks', async () => {
    const request = await ask(901);
    const unsigned = await approve(request, /Sign in first/);
    await signInWithAccount(world, BEN, 'kim');
    const same = await approve(request, /same account/);
    await signInWithAccount(world, BEN, 'lee');

    expect(unsigned).toContain('The request stays open');
    expect(same).toContain('Nothing was done');
    expect(limitOf()).toBe(200);
    expect(await approve(request, /./)).toBeTruthy();
    await world.slack.until(() => limitOf() === 901, { what: 'the approved limit' });
  });

  it('is the one who was asked: a click that somebody else forged decides nothing', async () => {
    const request = await ask(950);
    const find = (part: string) =>
      request.blocks
        .flatMap(({ elements }) => (elements as Json[] | undefined) ?? [])
        .find(({ action_id: id }) => String(id).includes(part));
    const forged = {
      ...{ type: 'block_actions', team: { id: 'T0001', domain: 'acme' }, trigger_id: '1.1.forged' },
      user: { id: ANA, username: ANA, team_id: 'T0001' },
      channel: { id: 'C0GENERAL' },
      actions: [{ ...find('approve'), block_id: 'b', action_ts: '1.1' }],
    };
    const refused = await world.awaitSaid(
      () => world.slack.deliver(forged, { kind: 'interaction' }),
      /asked to approve this|sign/i,
      ANA,
    );

    expect(world.render(refused)).toMatch(/Another administrator was asked|not signed in|Sign in/);
    expect(limitOf()).toBe(901);
  });

  it('approves nothing that has ended', async () => {
    const request = await ask(960);
    const database = new DatabaseSync(world.environment.SQLITE_PATH ?? '', { timeout: 5_000 });
    database.exec(
      "UPDATE documents SET body = json_set(body, '$.expiresAt', 1000) WHERE key LIKE 'approval:%' AND json_extract(body, '$.state') = 'asked'",
    );
    database.close();
    await world.slack.as(BEN).click(request, 'Approve');
    const shown = () => world.render(readDirect(world, BEN).find(({ ts }) => ts === request.ts));
    await world.slack.until(() => shown().includes('This request ended'), { what: 'that it ended' });

    expect(shown()).not.toContain('[Approve]');
    expect(limitOf()).toBe(901);
  });

  it('approves nothing that somebody has changed meanwhile, in the policy or at the service', async () => {
    const inPolicy = await ask(970);
    // Less than before: nobody is asked.
    await world.decide(await world.open('limit "Agent limit-0" 150'));
    await world.awaitSaid(() => world.slack.as(BEN).click(inPolicy, 'Approve'), /Somebody changed the same meanwhile/);
    const atService = await ask(980);
    world.meddle('limit', 0);
    const told = await world.awaitSaid(
      () => world.slack.as(BEN).click(atService, 'Approve'),
      /changed by somebody else/,
    );

    expect(world.render(told)).toContain('nothing was sent');
    expect(limitOf()).toBe(77);
  });

  it('approves nothing for somebody who is no administrator any more', async () => {
    await world.decide(await world.open('limit "Agent limit-1" 190'));
    const request = await ask(990, 'limit-1');
    const plan = await world.begin('undo', 0).catch((error: unknown) => error);
    world.slack.workspace.usergroups.set('S0ADMINS', { handle: 'admins', users: new Set() });

    const refused = await approve(request, /./);
    const submitted =
      plan instanceof Error
        ? undefined
        : await world.slack.as(KIM).submit(await awaitModal(world, KIM), { approver: BEN });

    expect(refused).not.toMatch(/^✓/);
    expect(world.render(submitted?.view)).toContain('Only administrators of this app');
    expect([world.read('limit', 1), world.read('undo', 0)]).toEqual([190, 100]);
    expect(readPrivate(world, KIM).length).toBeGreaterThan(0);
  });
});
