import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CHANNEL, type LiveWorld, startLiveWorld } from './live-world.ts';

let world: LiveWorld;

beforeAll(async () => {
  world = await startLiveWorld();
  await world.signIn('U0ANA');
});
afterEach(() => {
  world.slack.faults.clear();
  for (const user of ['U0ANA', 'U0BEN']) {
    const view = world.slack.as(user).openView();
    if (view) void world.slack.as(user).closeView(view);
  }
});
afterAll(() => world.close());

const person = (user: string) => world.slack.as(user);

async function askAndAnswer(text: string): Promise<Message> {
  const question = await world.ask(text);
  await world.waitForReplies(question);
  const answer = world.repliesIn(question).at(-1);
  if (!answer) throw new Error('no answer');
  return answer;
}

/** The window that somebody has open, as text, once it says this. */
const windowWith = (user: string, words: string) =>
  world.slack.until(
    () => {
      const view = person(user).openView();
      const text = view && world.slack.render(view);
      return text?.includes(words) && text;
    },
    { what: `a window with “${words}”` },
  );

describe('the details of an answer', () => {
  it('say when it was asked, how long it took, with which time zone, web search, thread and files', async () => {
    const answer = await askAndAnswer(
      'compare https://acme.sharepoint.example/plan.docx with https://drive.other.example/a.pdf',
    );

    await person('U0ANA').click(answer, 'Details');
    const window = await windowWith('U0ANA', 'For support');

    expect(window).toMatch(/Asked\*?\n\d+ \w+ \d{4}, \d\d:\d\d/);
    expect(window).toMatch(/Time until the answer\*?\n\d+ seconds?/);
    expect(window).toContain('America/Los_Angeles, from your Slack profile');
    expect(window).toMatch(/Web search\*?\nOn/);
    expect(window).toContain('None was sent along.');
    expect(window).toContain('Files given to the assistant: acme.sharepoint.example/plan.docx');
    expect(window).toContain('drive.other.example/a.pdf (not in a document library the assistant can read)');
    expect(window).not.toContain('Written by AI');
    expect(window).toContain(`message:T0001:${CHANNEL}:`);
  });

  it('are for the person who asked, and others are told so', async () => {
    const answer = await askAndAnswer('what is new? !web-off');
    world.slack.workspace.changeUser('U0BEN', { locale: 'de-DE' });

    await person('U0BEN').click(answer, 'Details');
    const window = await windowWith('U0BEN', 'Die Details einer Antwort sieht nur die Person, die gefragt hat.');

    expect(window).not.toContain('message:T0001');
  });

  it('are in the language of who asked, and name the default where the profile has no time zone', async () => {
    world.slack.workspace.changeUser('U0ANA', { locale: 'de-DE', tz: undefined });
    const answer = await askAndAnswer('was gibt es Neues? !web-off');

    await person('U0ANA').click(answer, 'Details');
    const window = await windowWith('U0ANA', 'Für den Support');
    world.slack.workspace.changeUser('U0ANA', { locale: 'en-US', tz: 'America/Los_Angeles' });

    expect(window).toContain('UTC, die Voreinstellung hier');
    expect(window).toMatch(/Websuche\*?\nAus/);
    expect(window).toContain('[Schließen]');
  });

  it('of an answer that is not known any more say so', async () => {
    const answer = world.slack.leaveMessage({
      channel: CHANNEL,
      text: 'an old answer',
      blocks: [
        {
          type: 'actions',
          elements: [
            {
              type: 'button',
              action_id: 'answer_details',
              text: { type: 'plain_text', text: 'Details' },
              value: 'message:T0001:C0GENERAL:1.1',
            },
          ],
        },
      ],
    });

    await person('U0ANA').click(answer, 'Details');

    await windowWith('U0ANA', 'too old');
  });
});
