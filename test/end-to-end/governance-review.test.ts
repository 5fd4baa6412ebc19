// One policy: what is decided in Slack is what is approved, and what others do at the service is seen.
import { type Threshold, toThresholdKey } from '@assistant-bridge/sandbox/admin/model.ts';
import { SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { beforeAll, expect, it } from 'vitest';
import { BEN, KIM, signInWithAccount } from './admin-world.ts';
import { shareAdminWorld } from './live-admin.ts';

const [PRODUCTION = '', MAKERS = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);
const IN_ORDER = /^:white_check_mark: \*All \d+ settings? (?:is|are) as policy \d+ says\* · 0 unknown/;
/** It is still there in December of any year that this may run in. */
const LAST_DAY = '2099-12-31';

const world = shareAdminWorld({ environment: { AUDIT_USERS: BEN } });
beforeAll(() => world.draft());

const keyOf = (bot: string) => toThresholdKey(bot === 'bot-4' ? MAKERS : PRODUCTION, bot);
const thresholdOf = (bot: string) => world.admin.state.thresholds.get(keyOf(bot));

/** Somebody does it in the console. */
function changeElsewhere(bot: string, values: Partial<Threshold>): void {
  world.admin.state.thresholds.set(keyOf(bot), { ...(thresholdOf(bot) as Threshold), ...values });
}

/** What a message says by now. */
const readAgain = ({ channel, ts }: Message) =>
  world.render(
    world.slack
      .as(KIM)
      .sees(channel)
      .find((message) => message.ts === ts),
  );

const review = async () => world.render(await world.review());

// That it is no difference in the next review is in governance-table.test.ts.
it('what is decided in Slack stands in the log, which answers who allowed this limit in this month', async () => {
  await world.decide(await world.open('limit "Travel Planner" 2000'));
  const month = new Date().toLocaleDateString('sv', { timeZone: 'Asia/Tokyo' }).slice(0, 7);
  const answer = await world.tell(`log travel ${month}`);
  const none = await world.tell('log travel 2025-03');

  expect(answer).toMatch(
    /Travel Planner[\s\S]*limit none → 2,000 credits[\s\S]*policy \d+[\s\S]*@kim[\s\S]*“The pilot grows in spring”/,
  );
  expect(none).toContain('nothing fits');
});

it('what is decided is refused where two administrators overlap: the later one looks again', async () => {
  const set = await world.decide(await world.open('limit "Travel Planner" 2100'));
  const undo = await world.press(set, 'Undo');
  // Through another window of hers, as another administrator would.
  const other = await world.press(set, 'Undo');
  const first = world.render(await world.decide(other));
  const again = await world.slack
    .as(KIM)
    .submit(undo, {})
    .catch((error: unknown) => String(error));

  expect(first).toMatch(/^✓ .*2,000 credits \(was 2,100 credits\)/);
  expect(typeof again === 'string' || again.error !== undefined || again.sent).toBe(true);
  expect(thresholdOf('bot-2')?.limit).toBe(2_000);
  expect(await review()).toMatch(IN_ORDER);
});

it('what others do at the service is seen, and set back', async () => {
  const before = thresholdOf('bot-4');
  changeElsewhere('bot-4', { stopResource: false });
  const report = await world.review();
  const shown = world.render(report);
  const said = world.render(await world.decide(await world.press(report, 'Set back')));
  const row = /Spec Writer.*stopped → running/;

  expect(shown).toMatch(/^:warning: \*1 of \d+ differs from policy \d+\*/);
  expect(shown).toContain('Allow more');
  expect(shown).toMatch(row);
  expect(said).toMatch(/^✓/);
  await expect.poll(() => readAgain(report)).toMatch(new RegExp(`✓ .*${row.source}`));
  expect(readAgain(report)).not.toContain('Set back');
  expect(thresholdOf('bot-4')).toEqual(before);
  expect(await review()).toMatch(IN_ORDER);
});

it('an exception is kept until a day, listed, ended, and stays ended when the value comes back', async () => {
  changeElsewhere('bot-2', { limit: 5_000 });
  const report = await world.review();
  const keep = await world.press(report, 'Keep…');
  await world.decide(keep, { until: LAST_DAY, reason: 'Closing of the year' });
  await expect.poll(() => readAgain(report)).toMatch(/✓ .*Travel Planner/);
  const kept = await review();
  const listing = await world.awaitSaid(() => world.tell('policy ending'), /1 exception/);
  const ended = world.render(await world.decide(await world.press(listing, 'End now')));
  const none = await world.tell('policy ending');
  changeElsewhere('bot-2', { limit: 5_000 });
  const again = await review();
  changeElsewhere('bot-2', { limit: 2_000 });

  expect(kept).toMatch(IN_ORDER);
  expect(world.render(listing)).toMatch(
    /Travel Planner.*5,000 credits.*31 Dec 2099.*then 2,000 credits[\s\S]*Closing of the year/,
  );
  expect(ended).toMatch(/^✓ .*2,000 credits \(was 5,000 credits\)/);
  expect(none).toContain('No exception holds');
  expect(again).toMatch(/Allow more \(1\)[\s\S]*2,000 credits → 5,000 credits/);
});

it('an auditor reads the review, the log, the lists and the policy', async () => {
  await signInWithAccount(world, BEN, 'lee');
  changeElsewhere('bot-2', { limit: 9_000 });
  const report = world.render(await world.review('', BEN));
  const answers = [];
  for (const command of ['log travel', 'policy', 'policy ending', 'agents travel', 'environments', 'policy export']) {
    answers.push(await world.tell(command, BEN));
  }

  changeElsewhere('bot-2', { limit: 2_000 });

  expect(report).toMatch(/Allow more \(1\)[\s\S]*Travel Planner/);
  expect(answers).toEqual(
    ['Travel Planner', 'Policy', 'No exception', 'Travel Planner', 'Contoso', 'I sent it'].map((text) =>
      expect.stringContaining(text),
    ),
  );
});
