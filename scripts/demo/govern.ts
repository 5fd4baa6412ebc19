import { type Allocation, CURRENCY, toThresholdKey } from '@assistant-bridge/sandbox/admin/model.ts';
import { MAKERS, NEW_LAB, PRODUCTION, plantDrift } from '@assistant-bridge/sandbox/admin/plant-drift.ts';
import type { Entries } from '@assistant-bridge/sandbox/slack/people/modal.ts';
import type { Message, View } from '@assistant-bridge/sandbox/slack/records.ts';
import { DateTime } from 'luxon';
import { awaitModal, closeModals, giveAdminCommand } from '../../test/app/administer.ts';
import type { World } from '../../test/app/world.ts';
import type { Narrator } from './narrator.ts';

const KIM = 'U0KIM';

/** An admin walks the governance process: find, classify, review, limit, repeat. Drift is planted, found and repaired. */
export async function govern(world: World, tell: Narrator): Promise<void> {
  await find(world, tell);
  const report = await findDrift(world, tell);
  await classify(world, tell, report);
  await correct(world, tell);
  await accept(world, tell);
  await reviewAgain(world, tell);
}

async function find(world: World, tell: Narrator): Promise<void> {
  tell.step('Which agents did a harness make, and where are they? /assistant-admin agents harness');
  tell.show('Only she sees:', await giveAdminCommand(world, KIM, 'agents harness'));
  tell.step('What has production used of its credits? /assistant-admin usage production');
  tell.show('Only she sees:', await giveAdminCommand(world, KIM, 'usage production'));
}

async function findDrift(world: World, tell: Narrator): Promise<Message> {
  tell.step('Somewhere in a console, somebody changes what was approved');
  for (const sentence of plantDrift(world)) tell.say(sentence);
  tell.step('Kim compares everything with the register: /assistant-admin review');
  const report = await review(world);
  tell.show('In her direct messages with the app:', report);
  const shown = world.slack.render(report);
  const named = ['New lab', 'Contoso Production', 'Spec Writer', 'Travel Planner'];
  tell.check(
    'it names what was planted, and the two limits she set',
    named.every((name) => shown.includes(`*${name}*`)),
  );
  tell.check('and nothing else', !shown.includes('*Invoice Reader*') && !shown.includes('*Contoso (default)*'));
  return report;
}

async function correct(world: World, tell: Narrator): Promise<void> {
  tell.step('She reviews again, and presses “Correct all … at once…”');
  const report = await review(world);
  const form = await press(world, report, 'admin_review_correct_all');
  tell.show('All that was found:', form);
  await world.slack.as(KIM).submit(form, {});
  const preview = await awaitModal(world, KIM, 'admin_review_correct_all_confirm');
  tell.show('Old → new, and why:', preview);
  await world.slack.as(KIM).submit(preview, {});
  tell.show('She confirms:', await awaitDirect(world, 'changes made'));
  await closeModals(world, KIM);
  const credits = creditsOf(world, PRODUCTION);
  const rule = (ruleType: string) => credits?.enforcementRules.find((one) => one.ruleType === ruleType);
  tell.check(
    'production has 25,000 credits again, and Deny is on',
    credits?.allocated === 25_000 && isOn(rule('Deny')),
  );
  tell.check(
    'a rule that the app does not know was sent back as it was',
    JSON.stringify(rule('Throttle')).includes('90'),
  );
  const pool = creditsOf(world, NEW_LAB)?.enforcementRules.find(({ ruleType }) => ruleType === 'TenantPool');
  tell.check('New lab does not draw on the tenant any more', pool !== undefined && !isOn(pool));
  const writer = world.admin.state.thresholds.get(toThresholdKey(MAKERS, 'bot-4'));
  tell.check('Spec Writer has 100 again, and is still stopped', writer?.limit === 100 && writer.stopResource);
}

async function classify(world: World, tell: Narrator, report: Message): Promise<void> {
  tell.step('The register does not know “New lab”. She presses “Classify…”');
  const form = await press(world, report, 'Classify…');
  const entries = { classification: 'maker-development', reason: 'The spring class builds its first agents here' };
  tell.show('She says what it is, and why:', await submit(world, report, form, entries));
}

async function accept(world: World, tell: Narrator): Promise<void> {
  tell.step('She reviews again: Travel Planner is left, whose limit she had set without the register saying so');
  const report = await review(world);
  tell.show('In her direct messages:', report);
  const form = await press(world, report, 'Accept…');
  const last_day = DateTime.utc().plus({ months: 6 }).toISODate();
  const entries = { last_day, reason: 'Trial of the travel desk, until June' };
  tell.show('She accepts it for half a year:', await submit(world, report, form, entries));
}

async function reviewAgain(world: World, tell: Narrator): Promise<void> {
  tell.step('And again');
  const report = await review(world);
  tell.show('In her direct messages:', report);
  tell.check('everything is as approved', world.slack.render(report).includes('everything is as approved'));
  tell.step('Who did all that? /assistant-admin audit');
  tell.show('Only she sees:', await giveAdminCommand(world, KIM, 'audit'));
}

/** Gives the command, and waits for the report. */
async function review(world: World): Promise<Message> {
  const count = readDirect(world).length;
  await world.slack.as(KIM).command('/assistant-admin', 'review', 'C0GENERAL');
  const find = (text: string) =>
    world.slack.until(
      () =>
        readDirect(world)
          .slice(count)
          .find((message) => world.slack.render(message).includes(text)),
      { what: `a review that says “${text}”`, timeoutMs: 15_000 },
    );
  const report = await find('as of ');
  await find('finished in');
  return report;
}

async function press(world: World, report: Message, button: string): Promise<View> {
  await world.slack.as(KIM).click(report, button);
  return awaitModal(world, KIM);
}

/** Returns the message about how it ended, which is in the thread of the report. */
async function submit(world: World, report: Message, form: View, entries: Entries = {}): Promise<Message> {
  const count = readDirect(world, report.ts).length;
  await world.slack.as(KIM).submit(form, entries);
  const find = () => readDirect(world, report.ts)[count];
  const told = await world.slack.until(find, { what: 'how it ended', timeoutMs: 15_000 });
  await closeModals(world, KIM);
  return told;
}

function awaitDirect(world: World, text: string): Promise<Message> {
  const find = () => readDirect(world).find((message) => world.slack.render(message).includes(text));
  return world.slack.until(find, { what: `a direct message with “${text}”`, timeoutMs: 15_000 });
}

/** Without `threadTs` what is not in a thread. */
function readDirect(world: World, threadTs?: string): Message[] {
  const kim = world.slack.as(KIM);
  return kim.sees(kim.dm, threadTs);
}

function creditsOf(world: World, environmentId: string): Allocation['currencyAllocations'][number] | undefined {
  const allocation = world.admin.state.allocations.get(environmentId);
  return allocation?.currencyAllocations.find(({ currencyType }) => currencyType === CURRENCY);
}

function isOn(rule: { enabled?: unknown } | undefined): boolean {
  return rule?.enabled === true;
}
