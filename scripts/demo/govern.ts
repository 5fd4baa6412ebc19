import { type Allocation, creditsOf, withCredits } from '@assistant-bridge/sandbox/admin/model.ts';
import { PRODUCTION, plantDrift } from '@assistant-bridge/sandbox/admin/plant-drift.ts';
import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { DateTime } from 'luxon';
import { giveAdminCommand } from '../../test/app/administer.ts';
import type { World } from '../../test/app/world.ts';
import { KIM, toHand } from '../../test/end-to-end/admin-world.ts';
import type { Narrator } from './narrator.ts';

/** An admin goes through the governance process: find, classify, review, correct, repeat. Planted drift is set back. */
export async function govern(world: World, tell: Narrator): Promise<void> {
  await find(world, tell);
  await draft(world, tell);
  const report = await findDrift(world, tell);
  await classify(world, tell, report);
  await keepOrSetBack(world, tell);
  await reviewAgain(world, tell);
}

async function find(world: World, tell: Narrator): Promise<void> {
  tell.step('Which environments have agents that a harness made? /assistant-admin environments harness');
  tell.show('Only she sees:', await giveAdminCommand(world, KIM, 'environments harness'));
  tell.step('Which draw on the credits of the whole tenant? /assistant-admin environments pool');
  tell.show('Only she sees:', await giveAdminCommand(world, KIM, 'environments pool'));
}

async function draft(world: World, tell: Narrator): Promise<void> {
  const hand = toHand(world);
  tell.step('Only her own limit is approved so far: /assistant-admin review');
  const first = await hand.awaitSaid(() => hand.tell('review'), /Draft a policy/);
  tell.show('In her direct messages with the app:', first);
  const form = await hand.press(first, 'Draft a policy…');
  tell.show('One window for all of it:', form);
  const entries = { words: 'production', reason: 'First policy, as it is set now' };
  tell.show('What is set now becomes what is approved:', await hand.decide(form, entries));
}

async function findDrift(world: World, tell: Narrator): Promise<Message> {
  tell.step('Somewhere in a console, somebody changes what was approved');
  for (const sentence of plantDrift(world)) tell.say(sentence);
  tell.step('Kim compares everything with the policy: /assistant-admin review');
  const report = await toHand(world).review();
  tell.show('In her direct messages with the app:', report);
  const shown = world.slack.render(report);
  tell.check(
    'it names what was planted',
    ['New lab', 'Contoso Production'].every((name) => shown.includes(name)),
  );
  const others = ['Spec Writer', 'Travel Planner', 'Invoice Reader'];
  tell.check('and nothing else: her own limit is approved', !others.some((name) => shown.includes(name)));
  return report;
}

async function classify(world: World, tell: Narrator, report: Message): Promise<void> {
  const hand = toHand(world);
  tell.step('“New lab” has no class. She presses “Maker”');
  const form = await hand.press(report, 'Maker');
  const reason = 'The spring class builds its first agents here';
  tell.show('She says why:', await hand.decide(form, { reason }));
}

async function keepOrSetBack(world: World, tell: Narrator): Promise<void> {
  const hand = toHand(world);
  tell.step(
    'Production has 60,000 credits instead of 25,000. She keeps that until the end of next month, with a reason',
  );
  const report = await hand.review();
  const form = await hand.press(report, 'Keep…');
  const until = DateTime.utc().plus({ months: 1 }).endOf('month').toISODate();
  tell.show('An exception with a last day:', await hand.decide(form, { until, reason: 'Year-end closing' }));
  tell.show('/assistant-admin policy ending', await giveAdminCommand(world, KIM, 'policy ending'));
  tell.step('Somebody does it again, and this time she sets it back');
  world.admin.state.allocations.set(PRODUCTION, withCredits(allocationOf(world), 90_000));
  const next = await hand.review();
  tell.show(
    'She presses “Set back”:',
    await hand.decide(await hand.press(next, 'Set back'), { reason: 'Not approved' }),
  );
  const credits = creditsOf(allocationOf(world));
  tell.check('production has what was approved again', credits?.allocated === 60_000);
  const throttle = credits?.enforcementRules.find(({ ruleType }) => ruleType === 'Throttle');
  tell.check('a rule that the app does not know was sent back as it was', JSON.stringify(throttle).includes('90'));
}

async function reviewAgain(world: World, tell: Narrator): Promise<void> {
  tell.step('And again');
  const report = await toHand(world).review();
  tell.show('In her direct messages:', report);
  tell.check('nothing differs', / as policy \d+ says/.test(world.slack.render(report)));
  tell.step('Who allowed this? /assistant-admin log production');
  tell.show('Only she sees:', await giveAdminCommand(world, KIM, 'log production'));
}

const allocationOf = (world: World) => world.admin.state.allocations.get(PRODUCTION) as Allocation;
