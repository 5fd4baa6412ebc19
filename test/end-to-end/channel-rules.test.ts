import type { Entries } from '@assistant-bridge/sandbox/slack/people/modal.ts';
import type { Message, View } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { giveAdminCommand, nextPrivate, readPrivate } from '../app/administer.ts';
import { awaitModal } from '../app/open-window.ts';
import { CHANNEL, shareLiveWorld } from './live-world.ts';
import { linkTo } from './steps.ts';

const KIM = 'U0KIM';
const REASON = { reason: 'Decided by the works council' };
const INHERIT = {
  ...{ questions: 'inherit', answers: 'inherit', webSearch: 'inherit', threadContext: 'inherit', reply: 'inherit' },
  ...{ personCap: '', channelCap: '' },
};
const HERE = `rules <#${CHANNEL}|general>`;

// Nobody signs in to the administrative interface here: none of this needs it. What counts where several set it, and how it
// is said, is in governance/channel-rules.
const world = shareLiveWorld();

const kim = () => world.slack.as(KIM);
const chats = () => world.assistant.ledger.chats();

/** Gives a command that opens a window, and returns it. */
async function open(text: string, callbackId: string): Promise<View> {
  await kim().command('/assistant-admin', text, CHANNEL);
  return awaitModal(world, KIM, callbackId);
}

/** Submits a window that confirms, and returns what Kim reads about how it ended. */
async function confirm(view: View, entries: Entries = REASON): Promise<string> {
  const count = readPrivate(world, KIM).length;
  await kim().submit(view, entries);
  const text = world.slack.render(await nextPrivate(world, KIM, count));
  await awaitModal(world, KIM, 'run_end');
  await world.closeWindows();
  return text;
}

async function setRules(command: string, entries: Entries): Promise<string> {
  return confirm(await open(command, 'channel_rules'), { ...entries, ...REASON });
}

async function tell(text: string): Promise<string> {
  return world.slack.render(await giveAdminCommand(world, KIM, text));
}

/** What Ana alone sees in the channel after she asks. */
async function askAndWhisper(text: string): Promise<string> {
  const count = readPrivate(world, 'U0ANA').length;
  await world.ask(text);
  return world.slack.render(await nextPrivate(world, 'U0ANA', count));
}

describe('/assistant-admin rules', () => {
  afterEach(async () => {
    const form = await open(HERE, 'channel_rules');
    const count = readPrivate(world, KIM).length;
    const { errors } = await kim().submit(form, { ...INHERIT, ...REASON });
    if (Object.keys(errors).length > 0) return kim().closeView(form);
    await nextPrivate(world, KIM, count);
    await awaitModal(world, KIM, 'run_end');
  });

  it('does not ask where questions are not allowed, and tells the asker alone what to do', async () => {
    const done = await setRules(HERE, { questions: 'refused' });
    expect(done).toContain('questions not allowed');

    const told = await askAndWhisper('what is our plan?');

    expect(told).toContain('Ask me in a direct message instead');
    expect(chats()).toEqual([]);
    await world.slack.as('U0ANA').say(world.slack.as('U0ANA').dm, 'and in private?');
    await world.slack.until(() => chats().length === 1, { what: 'the question in the direct message' });
  });

  it('asks without the web where that is always off, and says why', async () => {
    await setRules(HERE, { webSearch: 'false' });

    const { text: answer } = await world.askAndWait('what is in the news?');

    expect(chats()).toMatchObject([{ isWebEnabled: false }]);
    expect(answer).toContain('Web search was off for this answer, because administrators have turned it off here.');
  });

  it.each<Entries>([{ threadContext: 'false' }, { questions: 'refused' }])(
    'keeps its messages from the service when a link from elsewhere leads to them, where it has %j',
    async (rules) => {
      const ana = world.slack.as('U0ANA');
      const message = await ana.say(CHANNEL, 'the launch is on Friday');
      await setRules(HERE, rules);

      const { text: answer } = await world.askAndWait(`when is it? ${linkTo(message)}`, { channel: ana.dm });

      expect(JSON.stringify(chats())).not.toContain('Friday');
      expect(answer).toContain('administrators do not let me pass on messages of that channel');
    },
  );

  it('is edited in the list and undone by a button, without a sign-in to the service', async () => {
    // By the first *Edit…* of the list, which is of the whole workspace.
    await kim().click(await giveAdminCommand(world, KIM, 'rules'), 'Edit…');
    await confirm(await awaitModal(world, KIM, 'channel_rules'), { webSearch: 'false', ...REASON });
    const set = readPrivate(world, KIM).at(-1) as Message;
    expect(await tell('rules')).toContain('Web search: *always off* _(set for the workspace)_');
    await kim().click(set, 'Undo');
    await confirm(await awaitModal(world, KIM, 'plan_confirm'));

    expect(await tell('rules')).not.toContain('always off');
  });
});

describe('replies and caps', () => {
  const ana = () => world.slack.as('U0ANA');

  afterEach(async () => {
    await setRules(HERE, INHERIT);
  });

  it('lets the app answer what mentions nobody, and only when mentioned in its own threads', async () => {
    await setRules(HERE, { reply: 'all' });
    const root = await ana().say(CHANNEL, 'who owns the launch?');
    await world.waitForReplies(root);
    await setRules(HERE, { reply: 'mentions' });
    await ana().say(CHANNEL, 'thanks, all!', { threadTs: root.ts });
    await ana().say(CHANNEL, 'and who owns the budget?');
    await world.ask('really?', { threadTs: root.ts });
    await world.waitForReplies(root, 2);

    expect(chats().map(({ text }) => text)).toEqual(['who owns the launch?', expect.stringContaining('really?')]);
  });

  it('end with the cap, with a friendly word to the asker alone, also after a restart', async () => {
    await setRules(HERE, { personCap: '1' });
    await world.askAndWait('the first one?');
    const told = await askAndWhisper('the second one?');
    await world.restart();
    const again = await askAndWhisper('the third one?');

    expect(told).toMatch(/You have asked one question in this channel today.*again from/);
    expect(again).toContain('as many as administrators allow');
    expect(chats().map(({ text }) => text)).toEqual(['the first one?']);
    await ana().say(ana().dm, 'and in private?');
    await world.slack.until(() => chats().length === 2, { what: 'the question in the direct message' });
  });
});

describe('/assistant-admin pause', () => {
  it('asks nothing until it is resumed, and tells who asks the word, also after a restart', async () => {
    const form = await open('pause back at noon', 'workspace_pause');
    expect(await confirm(form)).toContain('paused. Askers read: “back at noon”');
    await world.restart();

    expect(await askAndWhisper('are you there?')).toContain('They say: back at noon');
    expect(await tell('rules')).toContain('Askers read: “back at noon”');
    expect(await world.command('status')).toContain('Administrators have paused me');

    const again = await open('resume', 'workspace_resume');
    expect(await confirm(again)).toContain('questions are answered again');
    await world.askAndWait('are you back?');

    expect(chats().map(({ text }) => text)).toEqual(['are you back?']);
  });
});

describe('/assistant-admin insights', () => {
  const crowd = ['U0P1', 'U0P2', 'U0P3', 'U0P4', 'U0P5'];

  it('counts people and how their questions ended, and keeps what was counted before a stop', async () => {
    for (const id of crowd) {
      world.slack.workspace.addUser({ id, name: id.toLowerCase() });
      world.slack.workspace.channels.get(CHANNEL)?.members.add(id);
    }
    await confirm(await open('pause', 'workspace_pause'));
    for (const user of crowd) await world.ask('are you there?', { user });
    const turnedAway = () => crowd.every((id) => readPrivate(world, id).length > 0);
    await world.slack.until(turnedAway, { what: 'a word to each' });
    await confirm(await open('resume', 'workspace_resume'));
    await world.restart('SIGTERM');

    const text = await tell('insights 7');

    expect(text).toContain('the last 7 days');
    expect(text).toMatch(/Askers\*?: 6/);
    // Ana alone was answered: the share of the others would tell how often.
    expect(text).toMatch(/turned away by a rule or a pause, or not allowed to ask _hidden_/);
    expect(text).toMatch(/answered _hidden_/);
  });
});
