// Commands that an administrator gives before the sign-in are carried out after it, by the real app.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { awaitModal, closeModals, giveAdminCommand, readPrivate } from '../app/administer.ts';
import { startAppProcess } from '../app/app-process.ts';
import { type AdminWorld, ANA, BEN, KIM, signInWithAccount, startAdminWorld } from './admin-world.ts';

const SETTINGS = { ADMIN_USERS: `${KIM},${BEN},${ANA}` };

let world: AdminWorld;

beforeAll(async () => {
  world = await startAdminWorld({ admin: { thresholdList: true } }, SETTINGS);
});
afterAll(() => world.stop());

function awaitPrivate(user: typeof BEN | typeof ANA, text: string) {
  const find = () => readPrivate(world, user).find((message) => world.slack.render(message).includes(text));
  return world.slack.until(find, { what: `an answer with ${text}` });
}

it('a list comes by itself after the sign-in, once, also across a restart', async () => {
  const prompt = await giveAdminCommand(world, BEN, 'agents travel');
  await giveAdminCommand(world, BEN, 'agents  travel');
  await world.app.kill('SIGKILL');
  world.app = await startAppProcess({ ...world.environment, ...SETTINGS });

  await signInWithAccount(world, BEN, 'lee', prompt);
  await awaitPrivate(BEN, 'Travel Planner');
  await signInWithAccount(world, BEN, 'lee', await giveAdminCommand(world, BEN, 'sign-in'));
  await giveAdminCommand(world, BEN, 'help');

  const shown = readPrivate(world, BEN).map((message) => world.slack.render(message));
  expect(world.slack.render(prompt)).toContain('I go on with your command.');
  expect(shown.filter((text) => text.includes('Travel Planner'))).toHaveLength(1);
});

it('a command that changes something opens its window at a click, and changes nothing by itself', async () => {
  const prompt = await giveAdminCommand(world, ANA, 'limit "Travel Planner" 700');
  const asked = world.slack.render(prompt);
  await closeModals(world, ANA);

  await signInWithAccount(world, ANA, 'kim', prompt);
  const message = await awaitPrivate(ANA, 'Go on with');
  await world.slack.as(ANA).click(message, 'Go on…');
  const form = world.slack.render(await awaitModal(world, ANA, 'form_limit_set'));

  expect(asked).toContain('[Sign in for administration]');
  expect(asked).toContain(
    'I carry out `/assistant-admin limit "Travel Planner" 700` by myself, if you sign in within 10',
  );
  expect(form).toContain('Travel Planner');
  expect(form).toContain('[700]');
  expect(world.admin.ledger.requests.filter(({ method }) => method === 'PUT')).toEqual([]);
});
