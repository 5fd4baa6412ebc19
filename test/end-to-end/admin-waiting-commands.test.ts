// Commands that an administrator gives before the sign-in are carried out after it, by the real app.
import { expect, it } from 'vitest';
import { awaitModal, closeModals, giveAdminCommand, readPrivate } from '../app/administer.ts';
import { ANA, BEN, KIM, signInWithAccount } from './admin-world.ts';
import { shareAdminWorld } from './live-admin.ts';

const world = shareAdminWorld({ environment: { ADMIN_USERS: `${KIM},${BEN},${ANA}` } });

it('a list comes by itself after the sign-in, once, also across a restart', async () => {
  const prompt = await giveAdminCommand(world, BEN, 'agents travel');
  await giveAdminCommand(world, BEN, 'agents  travel');
  await world.restart();

  await signInWithAccount(world, BEN, 'lee', prompt);
  await world.find('Travel Planner', { user: BEN });
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
  const message = await world.find('Go on with', { user: ANA });
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
