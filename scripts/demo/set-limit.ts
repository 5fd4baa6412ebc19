import { toThresholdKey } from '@assistant-bridge/sandbox/admin/model.ts';
import { PRODUCTION } from '@assistant-bridge/sandbox/admin/plant-drift.ts';
import { giveAdminCommand, nextPrivate, readPrivate, signInAsAdmin } from '../../test/app/administer.ts';
import type { World } from '../../test/app/world.ts';
import { KIM, toHand } from '../../test/end-to-end/admin-world.ts';
import type { Narrator } from './narrator.ts';

const WHY = 'Trial of the travel desk';

/** An admin sets the limit of an agent, stops it, and lets it run again; somebody else may not. */
export async function setLimit(world: World, tell: Narrator): Promise<void> {
  await refuseAna(world, tell);
  await signInKim(world, tell);
  await setTravelPlanner(world, tell);
  await stopTravelPlanner(world, tell);
}

async function refuseAna(world: World, tell: Narrator): Promise<void> {
  tell.step('Ana tries an admin command: /assistant-admin agents');
  tell.show('Only she sees:', await giveAdminCommand(world, 'U0ANA', 'agents'));
  tell.check('the administrative interface was not asked', world.admin.ledger.count() === 0);
}

async function signInKim(world: World, tell: Narrator): Promise<void> {
  tell.step('Kim is an admin. She gives the same command, and is asked to sign in for administration');
  const prompt = await giveAdminCommand(world, KIM, 'agents');
  const count = readPrivate(world, KIM).length;
  tell.show('Only she sees:', prompt);
  tell.check('nothing was asked before that', world.admin.ledger.count() === 0);
  const text = await signInAsAdmin(world, KIM, prompt);
  tell.say(`She signs in, in her browser: ${text.split('\n').slice(1, 3).join(', ')}`);
  tell.step('Her command is carried out: all agents, their limits, and what they use');
  tell.show('Only she sees:', await nextPrivate(world, KIM, count));
  const isHers = world.admin.ledger.requests.every(({ subject }) => subject === 'kim');
  tell.check('all of it was read with her own rights', isHers);
}

const findLimit = (world: World) => world.admin.state.thresholds.get(toThresholdKey(PRODUCTION, 'bot-2'));

async function setTravelPlanner(world: World, tell: Narrator): Promise<void> {
  const hand = toHand(world);
  tell.step('Travel Planner has no limit: /assistant-admin limit travel');
  const form = await hand.open('limit travel');
  tell.show('One window, with what is set now:', form);
  tell.say('Her number could be two, or two thousand: 2.000');
  const { errors } = await world.slack.as(KIM).submit(form, { 'Credits a month': '2.000', reason: WHY });
  const [problem] = Object.values(errors);
  tell.check(`at the field: “${problem}”`, problem !== undefined && findLimit(world) === undefined);

  tell.step('She enters 2,000, with a notice at 75 %, and says why');
  const entries = { 'Credits a month': '2,000', 'Notice at (percent of the limit)': '75', reason: WHY };
  tell.show('Only she sees:', await hand.decide(form, entries));
  const set = findLimit(world);
  const isSet = set?.limit === 2_000 && set.notificationThreshold === 75;
  tell.check('the service has it: 2,000 credits, notice at 75 %', isSet);
  tell.check('the agent was not stopped by it', set?.stopResource === false);
}

async function stopTravelPlanner(world: World, tell: Narrator): Promise<void> {
  const hand = toHand(world);
  tell.step('It spends too much at once: /assistant-admin stop travel');
  tell.show('She stops it:', await hand.decide(await hand.open('stop travel'), { reason: 'It books in a loop' }));
  tell.check('it is stopped, and its limit is untouched', isStopped(world) && findLimit(world)?.limit === 2_000);
  tell.step('The loop is mended: /assistant-admin run travel');
  tell.show('It runs again:', await hand.decide(await hand.open('run travel'), { reason: 'The loop is mended' }));
  tell.check('it runs, with the limit that it had', !isStopped(world) && findLimit(world)?.limit === 2_000);
}

const isStopped = (world: World) => findLimit(world)?.stopResource === true;
