import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { awaitModal, closeModals, nextPrivate, openLimitModal, readPrivate } from '../app/administer.ts';
import { type AdminWorld, KIM, startAdminWorld, WHY } from './admin-world.ts';

const CHANNEL = 'C0GENERAL';

let world: AdminWorld;

beforeAll(async () => {
  world = await startAdminWorld({ admin: { thresholdList: true } }, { SLACK_BUDGETS: 'documented' });
});
afterEach(() => closeModals(world, KIM));
afterAll(() => world.stop());

const kim = () => world.slack.as(KIM);

it('every agent is stopped, however many they are', async () => {
  for (let stops = 1; stops <= 12; stops += 1) {
    await closeModals(world, KIM);
    world.admin.state.thresholds.clear();
    await kim().command('/assistant-admin', 'stop Spec Writer', CHANNEL);
    const confirmation = await awaitModal(world, KIM, 'admin_stop_confirm');
    const count = readPrivate(world, KIM).length;
    await kim().submit(confirmation, WHY);
    expect((await nextPrivate(world, KIM, count)).text).toContain('is stopped, and was read back');
  }
});

describe('an admin who does more than hands can do', () => {
  it('is told so at the confirmation of one change too many, which is not made', async () => {
    let shown = '';
    // However slow this machine is, ten a minute are fewer than this.
    for (let limit = 1; limit <= 60 && !shown.includes('changes in a minute'); limit += 1) {
      await closeModals(world, KIM);
      const form = await openLimitModal(world, KIM, 'Travel Planner');
      await kim().submit(form, { limit: String(limit) });
      const confirmation = await awaitModal(world, KIM, 'admin_limit_confirm');
      const count = readPrivate(world, KIM).length;
      world.admin.ledger.clear();
      const { view } = await kim().submit(confirmation, WHY);
      shown = view ? world.slack.render(view) : '';
      if (shown.includes('Setting the limit of')) {
        expect((await nextPrivate(world, KIM, count)).text).toContain('*Verified*');
      }
    }

    expect(shown).toMatch(
      /more than 10 changes in a minute, so nothing was changed\. Wait \d seconds?, then do this again/,
    );
    expect(world.admin.ledger.requests).toEqual([]);
  });

  it('is told how long to wait, and nothing is asked of the service', async () => {
    let answer = '';
    for (let commands = 0; commands < 200 && !answer.includes('commands and clicks'); commands += 1) {
      const count = readPrivate(world, KIM).length;
      world.admin.ledger.clear();
      await kim().command('/assistant-admin', commands < 60 ? 'help' : 'limits', CHANNEL);
      answer = (await nextPrivate(world, KIM, count)).text;
    }

    expect(answer).toMatch(/more than 60 commands and clicks in a minute, .* Wait \d seconds?, then do this again\./);
    expect(world.admin.ledger.requests).toEqual([]);
  });
});
