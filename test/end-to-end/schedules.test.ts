import { DatabaseSync } from 'node:sqlite';
import type { Message, View } from '@assistant-bridge/sandbox/slack/records.ts';
import { describe, expect, it } from 'vitest';
import { CHANNEL, shareLiveWorld } from './live-world.ts';

const HOUR_MS = 3_600_000;
const EVERY_DAY = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const world = shareLiveWorld();

const ana = () => world.slack.as('U0ANA');
const chats = () => world.assistant.ledger.chats().map(({ text }) => text);
const dm = () => ana().sees(ana().dm);
const shown = (message: Message) => world.slack.render(message);
/** The app's messages at the root of the direct message that say this. */
const rootsWith = (words: string) => dm().filter((message) => message.botId && shown(message).includes(words));
const inThread = ({ ts }: Message) => ana().sees(ana().dm, ts).map(shown);

/** Due in some hours on every day: by the day after, more than an hour late. */
const TIME = toClock(Date.now() + 5 * HOUR_MS);

/** As if the questions had been due at this time, and the app had been away until now. */
async function restartWithDue(at: number): Promise<void> {
  await world.app.kill('SIGTERM');
  const database = new DatabaseSync(world.environment.SQLITE_PATH ?? '');
  const moved = database
    .prepare(`UPDATE documents SET
        body = (SELECT json_set(body, '$.questions', json_group_array(json_set(value, '$.nextAt', :at)))
          FROM json_each(body, '$.questions')),
        entries = replace(entries, '"schedules",' || json_extract(body, '$.questions[0].nextAt'), '"schedules",' || :at)
      WHERE key LIKE 'scheduled:%'`)
    .run({ at });
  expect(moved.changes).toBe(1);
  database.prepare("UPDATE entries SET at = :at WHERE name = 'schedules'").run({ at });
  // Nothing was asked on this day yet.
  database.prepare("DELETE FROM turns WHERE id LIKE 'schedule:%' AND stage = 'done'").run();
  database.close();
  await world.restart();
}

describe('a scheduled question', () => {
  it('is saved from a button under an answer, asked at its time, and answered in the direct message', async () => {
    const { answer } = await world.askAndWait('what changed in my projects? !web-off', { channel: ana().dm });
    world.assistant.ledger.clear();

    await ana().click(answer, 'Ask regularly…');
    const view = await world.findWindow('!web-off what changed in my projects?');
    expect(world.slack.render(view)).toContain('By the clock of America/Los_Angeles');
    await ana().submit(view, { Days: EVERY_DAY, Time: toClock(Date.now() + 60_000) });
    await world.findWindow('Saved. I ask this for the first time on');

    const find = () => rootsWith('your scheduled question:')[0];
    const root = await world.slack.until(find, { what: 'the question', timeoutMs: 90_000 });
    await world.find('Web search was off', { channel: root.channel, threadTs: root.ts });
    expect(chats()).toEqual(['what changed in my projects?']);
    expect(rootsWith('your scheduled question:')).toHaveLength(1);
  });

  it('comes from the command in any channel, and the command and the home tab say which there are', async () => {
    await ana().command('/assistant', 'schedule What is NEW?', CHANNEL);
    const view = await world.findWindow('What is NEW?');
    await ana().submit(view, { Days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'], Time: TIME });
    await world.findWindow('Saved.');

    await ana().command('/assistant', 'schedule', CHANNEL);
    const list = ana()
      .sees(CHANNEL)
      .filter(({ ephemeralFor }) => ephemeralFor)
      .map(shown)
      .at(-1);
    expect(list).toContain('Every day, ');
    expect(list).toContain(`Monday to Friday, ${TIME}`);

    await ana().opensHome();
    const home = await world.findHome(`Monday to Friday, ${TIME}`);
    expect(world.slack.render(home)).toContain('What is NEW?');
  });

  it('is refused without words, and ends in the home tab', async () => {
    await ana().command('/assistant', 'schedule question 3', CHANNEL);
    const view = await world.findWindow('question 3');
    const refused = await ana().submit(view, { 'Your question': '!web-off' });
    await ana().submit(view, { 'Your question': 'question 3', Time: TIME });
    await world.findWindow('Saved.');
    await ana().opensHome();
    await world.findHome('question 3');
    const words = 'what changed in my projects?';
    const home = await world.findHome(words);
    const block = home.blocks.find((one) => JSON.stringify(one).includes(words));
    const { action_id, value } = (block?.accessory ?? {}) as { action_id: string; value: string };
    await ana().clickInView(home, action_id, value);
    await world.slack.until(() => !world.slack.render(ana().home() as View).includes(words), { what: 'the end' });

    expect(JSON.stringify(refused)).toContain('Please write a question');
    expect(world.slack.render(await world.findHome('What is NEW?'))).toContain('question 3');
  });

  it('is left out once after an outage, which a line in its thread says, and can be asked all the same', async () => {
    const before = rootsWith('your scheduled question:').length;
    await restartWithDue(Date.now() - 26 * HOUR_MS);

    const late = await world.slack.until(() => {
      const roots = rootsWith('your scheduled question:').slice(before);
      return roots.filter((root) => inThread(root).length === 2).length === 2 ? roots : undefined;
    });
    expect(chats()).toEqual([]);
    const [root] = late.filter((one) => shown(one).includes('What is NEW?'));
    if (!root) throw new Error('no root');
    expect(inThread(root)[1]).toContain('could not ask this question in time');

    await ana().click(await world.reply(root), 'Ask again');
    await world.slack.until(() => chats().length === 1);
    expect(chats()).toEqual(['What is NEW?']);
  });

  it('is held without a sign-in, which is said once for all of them, and goes on with one', async () => {
    await ana().command('/assistant', 'sign-out', CHANNEL);
    await restartWithDue(Date.now());
    await world.findDirect('I do not ask your scheduled questions');
    await restartWithDue(Date.now());
    await ana().opensHome();
    await world.findHome('They are on hold');
    expect(rootsWith('I do not ask your scheduled questions')).toHaveLength(1);
    expect(chats()).toEqual([]);

    await world.signIn('U0ANA');
    await restartWithDue(Date.now());
    await world.slack.until(() => chats().length === 2, { what: 'both questions' });
    expect(chats().toSorted()).toEqual(['What is NEW?', 'question 3']);
    expect(rootsWith('I do not ask your scheduled questions')).toHaveLength(1);
  });

  it('is shown, exported and deleted with the rest of what is kept of a person', async () => {
    const database = new DatabaseSync(world.environment.SQLITE_PATH ?? '', { readOnly: true });
    const bodies = () => database.prepare("SELECT body FROM documents WHERE key LIKE 'scheduled:%'").all();
    expect(bodies()).toHaveLength(1);
    expect(JSON.stringify(bodies())).not.toContain('NEW');
    const home = await world.findHome('Export my data');

    await ana().clickInView(home, 'Show my data');
    await ana().closeView(await world.findWindow('*Scheduled questions:* 2'));
    await ana().clickInView(home, 'Export my data');
    await world.slack.until(() => dm().map(shown).join('\n').includes('"scheduledQuestions": ['));
    await ana().closeView(await world.findWindow('in our direct messages now'));
    // Without a sign-in to delete, nothing else changes the home tab.
    await ana().command('/assistant', 'sign-out', CHANNEL);
    await world.findHome('They are on hold');
    await ana().clickInView(home, 'Delete my data');
    await ana().submit(await world.findWindow('your scheduled questions'));
    await world.findWindow('Done. Deleted');

    expect(bodies()).toEqual([]);
    await expect.poll(() => world.slack.render(ana().home() as View)).not.toContain('What is NEW?');
    database.close();
  });
});

describe('a question that Slack delivers hours late', () => {
  it('gets a line, with which it can be asked all the same', async () => {
    await world.signIn('U0ANA');
    const late = { channel: ana().dm, delayedByMs: 5 * HOUR_MS };
    const { question, answer: notice, text } = await world.askAndWait('what was on this morning?', late);
    expect(text).toContain('could not ask this question in time');
    expect(chats()).toEqual([]);

    await ana().click(notice, 'Ask again');
    await world.reply(question, 2);
    expect(chats()).toEqual(['what was on this morning?']);
  });

  it('is answered as usual where it is half an hour late', async () => {
    await world.askAndWait('what is on today?', { channel: ana().dm, delayedByMs: HOUR_MS / 2 });

    expect(chats()).toEqual(['what is on today?']);
  });
});

describe('somebody with five scheduled questions', () => {
  it('is told so at the sixth, and leaves none behind once they leave', async () => {
    const database = new DatabaseSync(world.environment.SQLITE_PATH ?? '', { readOnly: true });
    const count = () => database.prepare("SELECT key FROM documents WHERE key LIKE 'scheduled:%'").all().length;
    const save = async (nth: number) => {
      await ana().command('/assistant', `schedule what is left of ${nth}?`, CHANNEL);
      return ana().submit(await world.findWindow(`what is left of ${nth}?`));
    };
    for (const nth of [1, 2, 3, 4, 5]) {
      await save(nth);
      await world.findWindow('Saved.');
    }
    expect(JSON.stringify(await save(6))).toContain('You have 5 scheduled questions already');
    expect(count()).toBe(1);

    world.slack.workspace.changeUser('U0ANA', { deleted: true });

    await world.slack.until(() => count() === 0, { what: 'the end of the schedule' });
    database.close();
  });
});

/** By the clock of Ana. */
function toClock(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB', {
    timeZone: 'America/Los_Angeles',
    ...{ hour: '2-digit', minute: '2-digit' },
  });
}
