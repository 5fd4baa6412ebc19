// Commands as administrators give them: without a name, for a file, before the sign-in, and right at the start.
// What lists and searches find is in governance/lists and governance/inventory.
import type { View } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { giveAdminCommand, readPrivate } from '../app/administer.ts';
import { awaitModal, closeModals } from '../app/open-window.ts';
import { ANA, BEN, KIM, type SentFile, signInWithAccount } from './admin-world.ts';
import { shareAdminWorld } from './live-admin.ts';

const world = shareAdminWorld({ environment: { ADMIN_USERS: `${KIM},${BEN},${ANA}` } });

afterEach(async () => {
  world.admin.faults.clear();
  world.slack.registration.scopes.add('files:write');
  await closeModals(world, KIM);
});

const kim = () => world.slack.as(KIM);

async function openSearch(command: string): Promise<View> {
  await kim().command('/assistant-admin', command, 'C0GENERAL');
  return awaitModal(world, KIM, 'form_search');
}

// First: what was looked up once is known.
it('a search that has not been looked up yet says so in time, in words that lead nowhere, and then has it', async () => {
  world.admin.faults.always('delay', { on: 'query', ms: 3_500 });
  const view = await openSearch('limit');

  const early = await kim().search(view, 'Agent', 'travel');
  const { errors } = await kim().submit(view, { Agent: early.options[0]?.value });
  const later = await kim().search(view, 'Agent', 'travel');

  expect(early).toMatchObject({ error: undefined, options: [{ group: 'Still looking that up…' }] });
  expect(errors.form_search_pick).toContain('That was only a note.');
  expect(later.options).toMatchObject([{ text: 'Travel Planner · Contoso Production' }]);
});

async function exportWith(command: string): Promise<SentFile & { said: string }> {
  const before = world.files().length;
  const said = await world.tell(command);
  const [file] = world.files().slice(before);
  return { name: '', comment: '', content: '', ...file, said };
}

describe('an export', () => {
  it('of the log, the rules of channels and insights needs nothing of the service', async () => {
    const rules = await exportWith('rules csv');
    const insights = await exportWith('insights 7 csv');
    const log = await exportWith('log csv');

    expect(rules.content).toContain(',questions,allowed,built_in,\r\n');
    expect(insights.content).toMatch(/^\ufeffmetric,value,note\r\n/);
    expect(log.content).toMatch(/^\ufeffseq,at,what,/);
  });

  it('says what is missing, beside the file and in the answer', async () => {
    world.admin.faults.always('html', { on: 'list-thresholds' });

    const { said, comment } = await exportWith('agents csv');

    expect(said).toMatch(/limits could not be read/i);
    expect(comment).toMatch(/limits could not be read/i);
  });

  it('says what whoever runs the app has to do where it may not send files', async () => {
    world.slack.registration.scopes.delete('files:write');

    const { said, name } = await exportWith('agents csv');

    expect(said).toContain('this app may not send files here yet');
    expect(said).toContain('files:write');
    expect(name).toBe('');
  });

  it('says that it may have arrived where Slack does not tell', async () => {
    world.slack.faults.next('files.completeUploadExternal', { kind: 'resetAfterProcessing' });

    const { said } = await exportWith('agents csv');

    expect(said).toContain('Slack did not answer whether the file arrived');
  });
});

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

it('commands right at the start are taken, and answered', async () => {
  const before = readPrivate(world, KIM).length;
  await world.restart();
  const commands = ['agents', 'help', 'log'];
  const give = (text: string) => world.slack.as(KIM).command('/assistant-admin', text, 'C0GENERAL');
  const taken = await Promise.all(commands.map(give));
  const find = () => readPrivate(world, KIM)[before + commands.length - 1];
  await world.slack.until(find, { what: 'an answer to each' });

  // On a busy machine Slack may not wait for it, and the answer comes all the same.
  expect(taken.filter(({ status = 200 }) => status !== 200)).toEqual([]);
  expect(world.logged('listener failed')).toEqual([]);
});
