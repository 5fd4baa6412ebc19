// A service exactly as in the contract: nothing reads back the limits of agents.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Message, View } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { awaitModal, closeModals, giveAdminCommand, readDirect } from '../app/administer.ts';
import type { World } from '../app/world.ts';
import { type AdminWorld, KIM, startAdminWorld } from './admin-world.ts';
import { giveReview } from './give-review.ts';
import { startReviewWorld } from './scheduled-review-world.ts';

const EXAMPLE = readFileSync(new URL('../../scripts/deploy/governance-register.yaml', import.meta.url), 'utf8');

const PREVIEW = 'admin_review_correct_all_confirm';
const REASON = { reason: 'Limits of the new year' };
const AS_TOLD = ':white_check_mark: *Review: everything is as approved, as far as the service tells.*';

let world: AdminWorld;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'register-'));
  const register = join(folder, 'register.yaml');
  writeFileSync(register, EXAMPLE);
  world = await startAdminWorld({}, { GOVERNANCE_REGISTER: register });
});

afterAll(async () => {
  await world.stop();
  rmSync(folder, { recursive: true });
});

const render = (shown: Message | View) => world.slack.render(shown as Message);

function awaitDirect(world: World, count: number, text: string): Promise<Message> {
  const find = () =>
    readDirect(world, KIM)
      .slice(count)
      .find((message) => world.slack.render(message).includes(text));
  return world.slack.until(find, { what: `a direct message with “${text}”` });
}

async function review(world: World): Promise<Message> {
  const count = readDirect(world, KIM).length;
  await giveReview({ tell: async (text) => world.slack.render(await giveAdminCommand(world, KIM, text)) });
  const report = await awaitDirect(world, count, 'as of ');
  await awaitDirect(world, count, 'finished in');
  return report;
}

async function press(world: World, report: Message, button: string, callbackId?: string): Promise<View> {
  await world.slack.as(KIM).click(report, button);
  const find = () => {
    const view = world.slack.as(KIM).openView();
    const isReady = callbackId ? view?.callbackId === callbackId : !view?.callbackId.endsWith('_loading');
    return isReady ? view : undefined;
  };
  return world.slack.until(find, { what: `the modal behind ${button}` });
}

/** `stopped`: what is said of agents that may be. The preview, or why there is none. */
async function planAll(world: World, report: Message, stopped: string | undefined): Promise<View> {
  const form = await press(world, report, 'admin_review_correct_all', 'admin_review_correct_all_form');
  await world.slack.as(KIM).submit(form, { stopped });
  const isReady = (view: View | undefined) =>
    view?.callbackId === PREVIEW || (view !== undefined && world.slack.render(view).includes('Nothing of this'));
  return world.slack.until(() => [world.slack.as(KIM).openView()].find(isReady), { what: 'the preview' });
}

async function correctAll(world: World, report: Message): Promise<string> {
  const preview = await planAll(world, report, 'not_stopped');
  const count = readDirect(world, KIM).length;
  await world.slack.as(KIM).submit(preview, REASON);
  const text = world.slack.render(await awaitDirect(world, count, 'changes made'));
  await closeModals(world, KIM);
  return text;
}

/** The first such button, of an agent of which nothing tells whether it is stopped. */
async function correct(report: Message, button: string): Promise<void> {
  const question = await press(world, report, button, 'admin_review_correct_choice');
  await world.slack.as(KIM).submit(question, { stop_decision: 'not_stopped' });
  const confirmation = await awaitModal(world, KIM, 'admin_limit_confirm');
  const count = readDirect(world, KIM).length;
  await world.slack.as(KIM).submit(confirmation, REASON);
  await awaitDirect(world, count, 'Applied, not verified');
  await closeModals(world, KIM);
}

/** As if all limits had been set so many days ago. */
function ageLimits(days: number): void {
  const database = new DatabaseSync(world.environment.SQLITE_PATH ?? '', { timeout: 5_000 });
  const ms = days * 24 * 60 * 60 * 1000;
  const older =
    "UPDATE documents SET body = json_set(body, '$.at', json_extract(body, '$.at') - ?) WHERE key LIKE 'change:%'";
  database.prepare(older).run(ms);
  database.close();
}

describe('a service without a read of limits', () => {
  it('is reviewed with the names of the agents, and what is approved for each', async () => {
    const report = render(await review(world));

    expect(report).toContain('3 as approved, as far as the service tells\n3 unknown');
    expect(report).toContain('*Ana\'s "Makers" lab* · maker development · OK');
    expect(report).toMatch(
      /↳ \*Spec Writer\* · agent · .*none was set from here\nApproved: 100 credits a month, notice/,
    );
    expect(report).toContain('[Set limit…]');
  });

  it('sets nothing where nobody says that no agent is stopped', async () => {
    const notice = await planAll(world, await review(world), undefined);
    await closeModals(world, KIM);

    expect(render(notice)).toContain('the service does not tell whether the agent is stopped, and you did not say it');
    expect(world.admin.ledger.count('write-threshold')).toBe(0);
  });

  it('ends as approved, as far as the service tells, once the limits are set from here', async () => {
    const outcome = await correctAll(world, await review(world));
    const report = render(await review(world));

    expect(outcome).toContain(
      '*Bulk change*: 3 of 3 changes made. 3 limits could not be read back, because the service does not show limits.',
    );
    expect(report).toContain(AS_TOLD);
    expect(report).toContain('6 as approved, as far as the service tells');
    expect(report).toContain('3 agents set from here as approved');
    expect(report).toContain('If somebody changed one elsewhere since, this review does not see it.');
    expect(report).not.toContain('[Set');
  });

  it('finds drift where something else was set from here', async () => {
    await world.slack.as(KIM).command('/assistant-admin', 'limit Spec Writer', 'C0GENERAL');
    await world.set(await awaitModal(world, KIM, 'admin_limit'), { limit: '900', stop_decision: 'not_stopped' });

    const report = await review(world);
    const shown = render(report);
    await correct(report, 'Correct…');

    expect(shown).toContain('Monthly limit: approved 100 → found *900* · allows more');
    expect(shown).toContain('_Found is what was last set from here on ');
    expect(render(await review(world))).toContain(AS_TOLD);
  });

  it('asks to set the limits again once they are stale, one or all', async () => {
    ageLimits(89);
    const before = render(await review(world));
    ageLimits(2);
    const stale = await review(world);
    await correct(stale, 'Set again…');
    const outcome = await correctAll(world, stale);

    expect(before).toContain(AS_TOLD);
    expect(render(stale)).toContain(
      '*unknown*: last set from here as approved, too long ago to count; the service does not show what holds now\nSet from here as approved on ',
    );
    expect(outcome).toContain('*Bulk change*: 2 of 2 changes made.');
    expect(render(await review(world))).toContain(AS_TOLD);
  });
});

it('is known to the scheduled review and to the home tab', async (context) => {
  const scheduled = await startReviewWorld({ admin: { thresholdList: false } });
  context.onTestFinished(() => scheduled.stop());
  await scheduled.start();
  await scheduled.waitForWritten(KIM, 1);
  await scheduled.signKimIn();
  const [, first] = await scheduled.waitForPosts(2);

  await correctAll(scheduled, await review(scheduled));
  const readNews = () => scheduled.posts().slice(2).join('\n');
  // A run may come between two of the limits.
  const countResolved = () =>
    [...readNews().matchAll(/(\d+) in order again/g)].reduce((sum, [, n]) => sum + Number(n), 0);
  await scheduled.slack.until(() => countResolved() === 3, { what: 'what is in order again' });
  await scheduled.passRuns(1);
  await scheduled.slack.as(KIM).opensHome();
  const home = await scheduled.slack.until(() => scheduled.slack.as(KIM).home());

  expect(first).toContain('*First scheduled review*: 3 findings not in order.');
  expect(first).toContain('unknown: the limit could not be read from the service, and none was set from here');
  expect(readNews()).toContain('3 agents set from here as approved');
  expect(countResolved()).toBe(3);
  expect(scheduled.slack.render(home)).toContain(
    'and noted no findings. 6 agents count as approved only as far as the service tells: it does not show their limits.',
  );
});
