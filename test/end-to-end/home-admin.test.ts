import { expect, it } from 'vitest';
import { ANA, BEN, KIM } from './admin-world.ts';
import { openReviewWorld } from './scheduled-review-world.ts';

it('the home tab shows administrators the state of the last review, also after a restart, and nobody else', async () => {
  const world = await openReviewWorld({ AUDIT_USERS: ANA });
  const openHome = async (user: string) => {
    await world.slack.as(user).opensHome();
    return world.render(await world.findHome('', user));
  };
  await world.waitFor(() => world.written(KIM), 1);
  await world.signKimIn();
  await world.draftWithOwner();
  await world.passRuns(1);
  const count = world.news().length;
  world.turn('Deny', false);
  await world.waitFor(world.news, count + 1);
  await world.passRuns(1);
  await world.restart('SIGTERM', { REVIEW_CRON: '0 8 * * 1' });

  const home = await openHome(KIM);

  expect(home).toContain('# Administration');
  expect(home).toMatch(/Last scheduled review: .*\. 1 differed from policy \d+, 0 unknown\./);
  expect(home).toMatch(/The next one is on \d+ .*, 08:00 UTC\./);
  expect(home).toContain('[Review] [Agents] [Environments] [Policy] [Log]');
  expect(home).toContain('[Rules of channels] [Pause…] [Insights] [Doctor]');
  expect(await openHome(ANA)).toContain('[Review]');
  expect(await openHome(ANA)).not.toContain('[Pause…]');
  expect(await openHome(BEN)).not.toContain('Administration');
});
