import { afterAll, beforeAll, expect, it } from 'vitest';
import { KIM, type ReviewWorld, startReviewWorld } from './scheduled-review-world.ts';

let world: ReviewWorld;

beforeAll(async () => {
  world = await startReviewWorld();
});
afterAll(() => world.stop());

async function openHome(user: string): Promise<string> {
  await world.slack.as(user).opensHome();
  const view = await world.slack.until(() => world.slack.as(user).home());
  return world.slack.render(view);
}

it('the home tab shows administrators the state of the last review, also after a restart, and nobody else', async () => {
  const first = await world.start();
  await world.signKimIn();
  await world.waitForPosts(1);
  world.turn('Deny', false);
  await world.waitForPosts(2);
  await first.kill('SIGTERM');
  await world.start({ REVIEW_CRON: '0 8 * * 1' });

  const home = await openHome(KIM);

  expect(home).toContain('# Administration');
  expect(home).toMatch(/The last scheduled review began .*\. Its findings, by environment and agent: .*\*\d+\* drift/);
  expect(home).toMatch(/The next one runs \d+ .*, 08:00 UTC\./);
  expect(home).toContain('/assistant-admin review');
  expect(await openHome('U0BEN')).not.toContain('Administration');
});
