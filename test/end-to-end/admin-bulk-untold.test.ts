// *Correct all at once…* where the service shows no limits, as in the contract.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readDirect } from '../app/administer.ts';
import { KIM } from './admin-world.ts';
import { type BulkReviewWorld, startBulkReviewWorld } from './bulk-review-world.ts';

let world: BulkReviewWorld;

beforeAll(async () => {
  world = await startBulkReviewWorld({ environments: 3, agents: 40 }, { thresholdList: false });
});
afterAll(() => world.stop());

it('leaves agents out that may be stopped, where nobody said that they are not', async () => {
  const kim = world.slack.as(KIM);
  await kim.click(await world.review(), 'Correct all 40 at once…');
  const callback = 'admin_review_correct_all_form';
  const form = await world.slack.until(() => (kim.openView()?.callbackId === callback ? kim.openView() : undefined));
  if (form) await kim.submit(form, {});
  const notice = await world.slack.until(() => {
    const view = kim.openView();
    return view && world.slack.render(view).includes('Nothing of this can be corrected') ? view : undefined;
  });

  expect(notice && world.slack.render(notice)).toContain('the service does not tell whether the agent is stopped');
});

it('sets the approved limit of every agent once, and says that the service does not show it', async () => {
  const preview = await world.preview(await world.review());
  const count = readDirect(world, KIM).length;

  await world.slack.as(KIM).submit(preview, {});
  const report = await world.awaitDirect(KIM, count, 'changes made');

  expect(world.slack.render(preview)).toContain('40 agents with an unknown limit: set the approved one');
  expect(world.slack.render(report)).toContain(
    ':white_check_mark: *Bulk change*: 40 of 40 changes made. 40 limits could not be read back, because the service does not show limits.',
  );
  expect(world.slack.render(report)).toContain('40 *Applied, not verified*: the service does not show limits');
  expect([...world.admin.state.thresholds.values()].map(({ limit }) => limit)).toEqual(Array(40).fill(500));
  expect(new Set(world.listPuts()).size).toBe(40);
  expect(world.listPuts()).toHaveLength(40);
});

it('has nothing left to set then: the review ends as approved, as far as the service tells', async () => {
  const report = world.slack.render(await world.review());

  expect(report).toContain('everything is as approved, as far as the service tells');
  expect(report).not.toContain('at once…');
});
