import type { Answer } from '@assistant-bridge/sandbox/assistant/conversation.ts';
import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeModals } from '../app/administer.ts';
import { toAskedWords } from './asked-words.ts';
import { CHANNEL, type LiveWorld, shareLiveWorld } from './live-world.ts';

let world: LiveWorld;
let nextAnswer: string | Answer | undefined;

shareLiveWorld(
  (started) => {
    world = started;
  },
  {
    assistant: { answer: ({ text }) => nextAnswer ?? `answer to ${toAskedWords(text)}` },
  },
);
beforeEach(() => {
  nextAnswer = undefined;
});

const ana = () => world.slack.as('U0ANA');

describe('an answer', () => {
  it('mentions nobody and forges no link', async () => {
    nextAnswer =
      'Hello <!channel> <!here> <@U0BEN> <#C0FINANCE>, see <https://evil.example|https://bank.example> or ' +
      '[https://bank.example](https://evil.example) or [x](javascript:alert(1)) @here @channel';
    const before = world.slack.workspace.notifications.length;

    const question = await world.ask('who is it?');
    await world.waitForReplies(question);
    const [answer] = world.repliesIn(question);
    if (!answer) throw new Error('no answer');

    expect(world.slack.workspace.notifications.slice(before).filter(({ ts }) => ts === answer.ts)).toEqual([]);
    for (const { url } of world.slack.links(answer)) expect(url).toMatch(/^https?:/);
    const links = [...markdownOf(answer).matchAll(/\[([^\]]*)\]\(([^)]*)\)(.{0,20})/g)];
    expect(links).toHaveLength(1);
    for (const [, label, url = '', following] of links) expect(`${label}${following}`).toContain(new URL(url).host);
  });

  it('and everything else we post never unfurls', async () => {
    nextAnswer = 'See https://evil.example/tracker.png and [this](https://evil.example).';

    const question = await world.ask('what is to be seen?');
    await world.waitForReplies(question);

    const posts = world.slack.ledger.calls('chat.postMessage').map((call) => call.arguments);
    expect(posts).toEqual([expect.objectContaining({ unfurl_links: false, unfurl_media: false })]);
  });

  it('with sources of long addresses shows all their titles', async () => {
    const addresses = [1, 2, 3, 4].map((number) => `https://files.example/${number}/${'a'.repeat(900 - 24)}`);
    const attributions = addresses.map((seeMoreWebUrl, index) => ({
      attributionType: 'citation' as const,
      attributionSource: 'grounding' as const,
      providerDisplayName: `Title ${index + 1}`,
      seeMoreWebUrl,
    }));
    nextAnswer = { text: 'All agree.[^1^][^2^][^3^][^4^]', attributions };

    const question = await world.ask('who says so?');
    const [answer] = await world.waitForReplies(question);

    expect(answer).toContain('All agree.[1][2][3][4]');
    for (const [index, address] of addresses.entries()) {
      expect(answer).toContain(`${index + 1}. Title ${index + 1} (${address})`);
    }
  });

  it('in a thread that was there before also gets the files shared earlier in it', async () => {
    const root = await ana().say(CHANNEL, 'The plan: https://acme.sharepoint.example/sites/a/early.docx');
    const question = await world.ask('what does it say?', { threadTs: root.ts });
    await world.waitForReplies({ channel: CHANNEL, ts: root.ts });

    expect(question.threadTs).toBe(root.ts);
    expect(world.assistant.ledger.chats()[0]?.files).toEqual(['https://acme.sharepoint.example/sites/a/early.docx']);
  });
});

describe('a service that fails', () => {
  it('is asked once; the person is told in plain words, and is answered by the button', async () => {
    world.assistant.faults.next('504-html');
    const question = await world.ask('second time lucky');
    const [told] = await world.waitForReplies(question);
    const [notice] = world.repliesIn(question);
    if (!notice) throw new Error('no notice');
    const chats = world.assistant.ledger.chats().length;

    await ana().click(notice, 'Ask again');
    const replies = await world.waitForReplies(question, 2);

    expect(chats).toBe(1);
    expect(told).toContain('It may have counted as a question');
    expect(told).not.toMatch(/50[024]|html|UnknownError|upstream|ECONN/i);
    expect(replies[1]).toContain('answer to second time lucky');
  });

  it('that no longer knows the conversation answers in a new one, and the reply says so', async () => {
    const root = await world.ask('remember me');
    await world.waitForReplies(root);
    world.assistant.faults.next('404-reused');

    await ana().say(CHANNEL, 'do you?', { threadTs: root.ts });
    const replies = await world.waitForReplies(root, 2);

    expect(replies[1]).toContain('answer to do you?');
    expect(replies[1]).toContain('it may not know what was said here before');
  });

  it.each([
    ['403-licence', 'whoever assigns licences', true],
    ['403-scopes', 'administrators who approve apps', false],
    ['403-consent', 'administrators who approve apps', false],
    ['403-credits', 'credits for it are used up', false],
    ['402', 'credits for it are used up', false],
    ['429-quota', 'credits for it are used up', false],
    ['403-policy', 'which policy it is', false],
  ] as const)('that refuses with %s says whom to ask: %s', async (fault, words, isExplained) => {
    world.assistant.faults.next(fault);

    const question = await world.ask('may I?');
    const [notice] = await world.waitForReplies(question);

    expect(notice).toContain(words);
    expect(notice?.includes('The assistant said:')).toBe(isExplained);
  });
});

describe('Slack', () => {
  it('that limits posting gets the answer later, once', async () => {
    world.slack.faults.next('chat.postMessage', { kind: 'rateLimited', retryAfterSeconds: 1 });

    const question = await world.ask('slowly');
    const replies = await world.waitForReplies(question);

    expect(replies).toHaveLength(1);
    expect(world.assistant.ledger.chats()).toHaveLength(1);
  });

  it('whose answer to a post is lost shows the reply once, although the first look for it fails', async () => {
    world.slack.faults.next('chat.postMessage', { kind: 'resetAfterProcessing' });
    world.slack.faults.next('conversations.replies', { kind: 'slackError', error: 'internal_error' });

    const question = await world.ask('once');
    await world.slack.until(() => world.slack.ledger.calls('conversations.replies').length > 1);
    await world.ask('one more, to come after it', { threadTs: question.ts });
    const replies = await world.waitForReplies(question, 2);

    expect(replies).toEqual([
      expect.stringContaining('answer to once'),
      expect.stringContaining('answer to one more, to come after it'),
    ]);
    expect(world.assistant.ledger.chats()).toHaveLength(2);
  });
});

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
  afterEach(async () => {
    for (const user of ['U0ANA', 'U0BEN']) await closeModals(world, user);
  });

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

/** What Slack was given as Markdown: labels, addresses, and what stands behind them. */
function markdownOf({ blocks }: Message): string {
  return blocks.flatMap(({ type, text }) => (type === 'markdown' ? [String(text)] : [])).join('\n');
}
