// Whatever an administrator decides, in each of the ways in which it can go: confirmed, approved, rejected, and overtaken by
// somebody else. For kills see governance-killed.test.ts.
import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { describe, expect, it } from 'vitest';
import { giveAdminCommand, readDirect, readPrivate } from '../app/administer.ts';
import { awaitModal } from '../app/open-window.ts';
import { readCsv } from '../governance/exports/sheet-rows.ts';
import { ANA, BEN, KIM, PLAN, signInWithAccount, WHY } from './admin-world.ts';
import { OPERATIONS, type Operation, RESULTS, shareTableWorld, type TableWorld } from './governance-table.ts';

/** Finished by others at the service before this app writes: at its own second look, after the form was submitted. */
function meddleAtSecondLook(world: TableWorld, operation: Operation, nth: number): void {
  const wanted = operation === 'credits' ? 'read-allocation' : 'list-thresholds';
  let looks = 0;
  const stop = world.admin.onCall((call) => {
    if (call.operation !== wanted) return;
    looks += 1;
    if (looks < 2) return;
    stop();
    world.meddle(operation, nth);
  });
}

describe('one administrator alone', () => {
  const world = shareTableWorld();

  it.each(OPERATIONS)('confirms: %s', async (operation) => {
    const { view, entries } = await world.begin(operation, 0);
    const said = world.render(await world.decide(view, entries));

    expect(said).toMatch(operation === 'Keep' ? /^✓ .*Policy \d+\./s : /^✓ .*Read back\.[\s\S]*Policy \d+\./);
    expect(said.includes('[Undo]')).toBe(operation !== 'Set back');
    expect(world.read(operation, 0)).toBe(RESULTS[operation].after);
  });

  it('finds no difference after all of it, and has one decision with its reason in the log for each', async () => {
    const report = world.render(await world.review());
    await world.tell('log confirmed csv');
    const decisions = readCsv(world.files().at(-1)?.content ?? '');

    expect(report).toMatch(/^:white_check_mark: \*All \d+ settings? (?:is|are) as policy \d+ says\* · 0 unknown/);
    // The draft, and the limit that is undone, are decisions as well.
    expect(decisions.map(({ user, reason }) => [user, reason])).toEqual(Array(OPERATIONS.length + 2).fill([KIM, WHY]));
  });

  // A stop comes first, whatever others do; *Keep* writes nothing.
  it.each(OPERATIONS.filter((one) => one !== 'stop' && one !== 'Keep'))(
    'writes over nothing that somebody else sets meanwhile: %s',
    async (operation) => {
      const { view, entries } = await world.begin(operation, 1);
      if (view.callbackId === PLAN) world.meddle(operation, 1);
      else meddleAtSecondLook(world, operation, 1);
      const said = world.render(await world.decide(view, entries));

      expect(said).toMatch(/^:x: .*changed by somebody else: it was changed meanwhile, so nothing was sent; found: /);
      expect(world.read(operation, 1)).toBe(operation === 'run' ? true : 77);
    },
  );

  it.each(['limit', 'credits', 'Keep'] as const)(
    'shows what somebody else has set since the window was opened: %s',
    async (operation) => {
      const { view, entries } = await world.begin(operation, 2);
      world.meddle(operation, 2);
      await world.submit(view, { ...entries, reason: WHY });
      const plan = await awaitModal(world, KIM, PLAN);

      expect(world.render(plan)).toMatch(/Somebody changed this since the window was opened[\s\S]* 77(?: credits)? → /);
      expect(world.read(operation, 2)).toBe(77);
    },
  );

  it('turns the pages of a list in place', async () => {
    const list = await giveAdminCommand(world, KIM, 'agents');
    const count = readPrivate(world, KIM).length;
    const read = () => world.render(readPrivate(world, KIM).find(({ ts }) => ts === list.ts) ?? list);
    const first = read();
    const [, last = ''] = /page 1 of (\d)/.exec(first) ?? [];
    await world.slack.as(KIM).click(list, 'Next');
    await world.slack.until(() => read().includes(`page 2 of ${last}`));
    const second = read();
    await world.slack.as(KIM).click(list, 'Previous');
    await world.slack.until(() => read().includes(`page 1 of ${last}`));

    expect(first).toContain('27 agents');
    expect(first).not.toContain('[Previous]');
    expect([read(), second === first]).toEqual([first, false]);
    expect(readPrivate(world, KIM)).toHaveLength(count);
  });

  it('stops whatever others set meanwhile', async () => {
    const { view, entries } = await world.begin('stop', 1);
    world.meddle('stop', 1);

    expect(world.render(await world.decide(view, entries))).toMatch(/^✓/);
    expect(world.read('stop', 1)).toBe(true);
  });
});

describe('with a second administrator', () => {
  const world = shareTableWorld({
    environment: { ADMIN_USERS: `${KIM},${BEN},${ANA}`, REQUIRE_SECOND_APPROVER: 'yes' },
  });

  /** Asks, and returns what Ben got to decide about; undefined where nobody had to be asked. */
  async function ask(operation: Operation, nth: number): Promise<Message | undefined> {
    const { view, entries } = await world.begin(operation, nth);
    const count = readDirect(world, BEN).length;
    const said = world.render(await world.decide(view, { ...entries, approver: BEN }));
    if (!said.startsWith(':hourglass')) return undefined;
    const find = () =>
      readDirect(world, BEN)
        .slice(count)
        .find((one) => world.render(one).includes('[Approve'));
    return world.slack.until(find, { what: 'a request to Ben' });
  }

  it('is another one: not oneself, and an administrator', async () => {
    const { view } = await world.begin('limit', 2);
    const submit = async (approver?: string) =>
      (await world.slack.as(KIM).submit(view, { reason: WHY, ...(approver && { approver }) })).errors;

    for (const who of [KIM, 'U0GUEST', undefined]) expect(await submit(who)).toHaveProperty('approver');
  });

  it('signs in first, and not with the account of who asks', async () => {
    const request = (await ask('limit', 2)) as Message;
    const approve = (fits: RegExp) =>
      world.awaitSaid(() => world.slack.as(BEN).click(request, 'Approve'), fits, BEN).then(world.render);
    const unsigned = await approve(/Sign in first/);
    await signInWithAccount(world, BEN, 'kim');
    const same = await approve(/same account/);
    await signInWithAccount(world, BEN, 'lee');

    expect(unsigned).toContain('The request stays open');
    expect(same).toContain('Nothing was done');
    expect(world.read('limit', 2)).toBe(200);
    await approve(/^✓/);
    expect(world.read('limit', 2)).toBe(800);
  });

  it.each(OPERATIONS)('is carried out once it is approved: %s', async (operation) => {
    const request = await ask(operation, 0);
    if (operation === 'stop') expect(request).toBeUndefined();
    else {
      expect(world.read(operation, 0)).toBe(RESULTS[operation].before);
      const press = () => world.slack.as(BEN).click(request as Message, 'approval_approve');
      const toKim = await world.awaitSaid(press, /^✓/);
      expect(world.render(toKim)).toContain('Asked for by @kim, approved by @ben.');
    }
    expect(world.read(operation, 0)).toBe(RESULTS[operation].after);
  });

  it.each(OPERATIONS)('changes nothing once it is rejected: %s', async (operation) => {
    const request = await ask(operation, 1);
    if (request === undefined) return expect(operation).toBe('stop');
    const before = world.admin.ledger.count(({ method }) => method === 'PUT' || method === 'PATCH');
    const reject = async () => {
      const form = await world.press(request, 'Reject…', BEN);
      await world.submit(form, { reason: 'Not this month' }, BEN);
    };
    const toKim = world.render(await world.awaitSaid(reject, /rejected/));
    await world.slack
      .as(BEN)
      .click(readDirect(world, BEN).find(({ ts }) => ts === request.ts) ?? request, 'approval_approve')
      .catch(() => undefined);

    expect(toKim).toMatch(
      /^:x: @ben rejected (?:a change|2 changes) \(plan [0-9a-f]{12}\)\. Nothing was changed\.[\s\S]*Not this month/,
    );
    expect(world.read(operation, 1)).toBe(RESULTS[operation].before);
    expect(world.admin.ledger.count(({ method }) => method === 'PUT' || method === 'PATCH')).toBe(before);
  });
});
