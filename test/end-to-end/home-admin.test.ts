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
  const settings = { AUDIT_USERS: 'U0ANA' };
  const first = await world.start(settings);
  await world.waitForWritten(KIM, 1);
  await world.signKimIn();
  await world.draft();
  await world.passRuns(1);
  const count = world.news().length;
  world.turn('Deny', false);
  await world.waitForNews(count + 1);
  await world.passRuns(1);
  await first.kill('SIGTERM');
  await world.start({ ...settings, REVIEW_CRON: '0 8 * * 1' });

  const home = await openHome(KIM);

  expect(home).toContain('# Administration');
  expect(home).toMatch(/Last scheduled review: .*\. 1 differed from policy \d+, 0 unknown\./);
  expect(home).toMatch(/The next one is on \d+ .*, 08:00 UTC\./);
  expect(home).toContain('[Review] [Agents] [Environments] [Policy] [Log]');
  expect(home).toContain('[Rules of channels] [Pause…] [Insights] [Doctor]');
  expect(await openHome('U0ANA')).toContain('[Review]');
  expect(await openHome('U0ANA')).not.toContain('[Pause…]');
  expect(await openHome('U0BEN')).not.toContain('Administration');
});
