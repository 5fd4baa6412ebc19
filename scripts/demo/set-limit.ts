import { toThresholdKey } from '@assistant-bridge/sandbox/admin/model.ts';
import { SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import type { Message, View } from '@assistant-bridge/sandbox/slack/records.ts';
import {
  awaitModal,
  closeModals,
  giveAdminCommand,
  nextPrivate,
  openLimitModal,
  readPrivate,
  signInAsAdmin,
} from '../../test/app/administer.ts';
import type { World } from '../../test/app/world.ts';
import type { Narrator } from './narrator.ts';

const KIM = 'U0KIM';
const [PRODUCTION = '', MAKERS = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

/** An admin sets the limits of two agents; somebody else may not. */
export async function setLimit(world: World, tell: Narrator): Promise<void> {
  await refuseAna(world, tell);
  await signInKim(world, tell);
  await setTravelPlanner(world, tell);
  await keepStopped(world, tell);
}

async function refuseAna(world: World, tell: Narrator): Promise<void> {
  tell.step('Ana tries an admin command: /assistant-admin limits');
  tell.show('Only she sees:', await giveAdminCommand(world, 'U0ANA', 'limits'));
  tell.check('the administrative interface was not asked', world.admin.ledger.count() === 0);
}

async function signInKim(world: World, tell: Narrator): Promise<void> {
  tell.step('Kim is an admin. She gives the same command, and is asked to sign in for administration');
  const prompt = await giveAdminCommand(world, KIM, 'limits');
  const count = readPrivate(world, KIM).length;
  tell.show('Only she sees:', prompt);
  tell.check('nothing was asked before that', world.admin.ledger.count() === 0);
  const text = await signInAsAdmin(world, 'U0KIM', prompt);
  tell.say(`She signs in, in her browser: ${text.split('\n').slice(1, 3).join(', ')}`);
  tell.step('Her command is carried out: all agents, their limits, and what is used of them');
  tell.show('Only she sees:', await nextPrivate(world, KIM, count));
  const isHers = world.admin.ledger.requests.every(({ subject }) => subject === 'kim');
  tell.check('all of it was read with her own rights', isHers);
}

async function setTravelPlanner(world: World, tell: Narrator): Promise<void> {
  const kim = world.slack.as(KIM);
  const find = () => world.admin.state.thresholds.get(toThresholdKey(PRODUCTION, 'bot-2'));
  tell.step('Travel Planner has no limit. She looks for it alone, and presses “Set limit…”');
  await kim.click(await giveAdminCommand(world, KIM, 'limits travel'), 'Set limit…');
  const form = await awaitModal(world, KIM, 'admin_limit');
  tell.show('The form:', form);
  tell.say(
    'The service lists no limit of it, so nobody has stopped it either. Her number could be two, or two thousand: 2.000',
  );
  const { errors } = await kim.submit(form, { limit: '2.000' });
  tell.check(`at the field: “${errors.limit}”`, errors.limit !== undefined && find() === undefined);

  tell.step('She enters 2,000, with a notice at 75 %, and reviews the change');
  await kim.submit(form, { limit: '2,000', notification_threshold: '75' });
  const confirmation = await awaitModal(world, KIM, 'admin_limit_confirm');
  tell.show('Old → new:', confirmation);
  tell.check('nothing is set yet', find() === undefined);

  tell.step('She says why, and confirms');
  tell.show('Only she sees:', await confirm(world, confirmation, 'Trial of the travel desk, until June'));
  const set = find();
  tell.check(
    'the service has it: 2,000 credits, notice at 75 %',
    set?.limit === 2_000 && set.notificationThreshold === 75,
  );
  tell.check('the agent was not stopped by it', set?.stopResource === false);
}

async function keepStopped(world: World, tell: Narrator): Promise<void> {
  const find = () => world.admin.state.thresholds.get(toThresholdKey(MAKERS, 'bot-4'));
  tell.step('Somebody has stopped the agent Spec Writer: /assistant-admin limit spec writer');
  const form = await openLimitModal(world, KIM, 'spec writer');
  tell.show('The form asks what shall become of that:', form);
  await world.slack.as(KIM).submit(form, { limit: '500', stop_decision: 'Keep it stopped' });
  const outcome = await confirm(world, await awaitModal(world, KIM, 'admin_limit_confirm'), WHY_STOPPED);
  tell.show('She raises the limit, keeps it stopped, and confirms:', outcome);
  tell.check(
    'the limit is 500, and the agent is still stopped',
    find()?.limit === 500 && find()?.stopResource === true,
  );
}

const WHY_STOPPED = 'More room for its tests, once it runs again';

/** Says why, confirms, waits for the message about the outcome, and closes the modal that says the same. */
async function confirm(world: World, confirmation: View, reason: string): Promise<Message> {
  const count = readPrivate(world, KIM).length;
  await world.slack.as(KIM).submit(confirmation, { reason });
  const outcome = await nextPrivate(world, KIM, count);
  await closeModals(world, KIM);
  return outcome;
}
