// `/assistant-admin review`, as an admin sees it: the real app against the stand-ins, with the register's example.

import { toThresholdKey } from '@assistant-bridge/sandbox/admin/model.ts';
import type { Json, Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { giveAdminCommand, nextPrivate, readPrivate } from '../app/administer.ts';
import { MAKERS, PRODUCTION, type Reviewing, startReviewing } from './admin-reviewing.ts';
import { KIM } from './admin-world.ts';

let reviewing: Reviewing;

beforeAll(async () => {
  reviewing = await startReviewing();
});
afterEach(() => reviewing.reset());
afterAll(() => reviewing.stop());

describe('a review', () => {
  it('says that everything is as approved, by which reviewing.register, and how long it took', async () => {
    const report = reviewing.render(await reviewing.review());

    expect(report).toContain('*Review: everything is as approved.*');
    expect(report).toMatch(/\*3 environments\*\s+3 as approved/);
    expect(report).toMatch(/\*6 agents\*\s+6 as approved/);
    expect(report).toMatch(/Register [0-9a-f]{12} · as of \d+ \w+ \d{4}, [\d:]+ \S+ · took \d+ s/);
    expect(report).not.toContain('Page');
  });

  it('names exactly the drift that was planted, the new environment on the pool first', async () => {
    reviewing.turnRule(PRODUCTION, 'Deny', false);
    const key = toThresholdKey(MAKERS, 'bot-4');
    const threshold = reviewing.world.admin.state.thresholds.get(key);
    if (threshold) reviewing.world.admin.state.thresholds.set(key, { ...threshold, limit: 9_000 });
    reviewing.addEnvironments(1, { TenantPool: true });

    const report = await reviewing.review();

    expect(reviewing.readFindings(report)).toEqual([
      'New 1: :new: *not in the register*',
      `Ana's "Makers" lab: OK`,
      'Spec Writer: :warning: *drift*',
      'Contoso Production: :warning: *drift*',
    ]);
    const text = reviewing.render(report);
    expect(text).toContain('*Review: 3 findings not in order.*');
    expect(text).toContain('*A new environment draws on the tenant pool, and nobody has approved it*: New 1.');
    expect(text).toContain('Deny when used up (ServiceMessages): approved on → found *off* · allows more');
    expect(text).toContain('Monthly limit: approved 100 → found *9,000* · allows more');
    expect(text).toContain('Owner: ana@contoso.example');
    expect(text).toContain('[Correct…] [Accept…]');
    expect(text).toContain('[Classify…]');
    expect(text).toContain('[Correct all 2 at once…]');
  });

  it('shows how far it is while it runs, and runs once at a time', async () => {
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    let reads = 0;
    const stop = reviewing.world.admin.onCall(async ({ operation, parts }) => {
      if (operation === 'read-allocation' && parts[0] === PRODUCTION && reads++ === 0) await isReleased;
    });
    const count = reviewing.readDirect().length;

    await reviewing.world.tell('review');
    const progress = await reviewing.awaitDirect(count, '2 of 3 environments');
    const shown = reviewing.render(progress);
    const second = await reviewing.world.tell('review');
    release();
    await reviewing.awaitDirect(count, 'everything is as approved');
    const finished = await reviewing.awaitDirect(count, 'finished in');
    stop();

    expect(shown).toMatch(/▰{13}▱{7} 2 of 3 environments, 0 with drift so far/);
    expect(second).toContain('A review of yours runs already.');
    expect(finished.ts).toBe(progress.ts);
    expect(reviewing.render(await reviewing.review())).toContain('everything is as approved');
  });

  it('is turned page by page in the same message', async () => {
    reviewing.addEnvironments(20, { TenantPool: false });
    const report = await reviewing.review();
    const [first, count] = [reviewing.readFindings(report), reviewing.readDirect().length];
    const current = () => reviewing.readDirect().find(({ ts }) => ts === report.ts) as Message;
    const shows = (text: string) =>
      reviewing.world.slack.until(() => reviewing.render(current()).includes(text) && current());

    await reviewing.world.slack.as(KIM).click(report, 'Next');
    await reviewing.world.slack.as(KIM).click(await shows('Page 2 of 3'), 'Next');
    const last = await shows('Page 3 of 3');
    const lastFindings = reviewing.readFindings(last);
    await reviewing.world.slack.as(KIM).click(last, 'Previous');

    expect(first).toHaveLength(8);
    expect(lastFindings.map((line) => line.split(':')[0])).toEqual(['New 17', 'New 18', 'New 19', 'New 20']);
    expect(reviewing.render(last)).not.toContain('[Next]');
    expect(reviewing.readFindings(await shows('Page 2 of 3'))).toHaveLength(8);
    expect(reviewing.readDirect()).toHaveLength(count);
  });

  it('refuses a page to somebody who is no admin, and says where a report is not kept any more', async () => {
    reviewing.addEnvironments(9, { TenantPool: false });
    const report = await reviewing.review();
    const value = report.blocks
      .flatMap(({ elements }) => (elements as Json[] | undefined) ?? [])
      .find(({ action_id }) => action_id === 'admin_review_next')?.value as string;
    const press = async (user: string, pressed: string) => {
      await giveAdminCommand(reviewing.world, user, 'help');
      const given = reviewing.world.slack.ledger.deliveries({ type: '/assistant-admin' }).at(-1)?.payload as Json;
      const count = readPrivate(reviewing.world, user).length;
      const click = {
        ...{ type: 'block_actions', team: { id: 'T0001', domain: 'acme' }, trigger_id: '1.1.forged' },
        user: { id: user, username: user, team_id: 'T0001' },
        ...{ channel: { id: 'C0GENERAL' }, response_url: given.response_url },
        actions: [{ action_id: 'admin_review_next', type: 'button', block_id: 'b', action_ts: '1.1', value: pressed }],
      };
      await reviewing.world.slack.deliver(click, { kind: 'interaction' });
      return reviewing.render(await nextPrivate(reviewing.world, user, count));
    };

    expect(await press('U0BEN', value)).toContain('Only administrators of this app');
    expect(await press(KIM, value.replace(/"report":"\w+"/, '"report":"gone"'))).toContain('not kept any more');
    expect(await press(KIM, 'nonsense')).toContain('not kept any more');
  });
});
