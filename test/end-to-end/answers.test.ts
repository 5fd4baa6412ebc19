import type { Answer } from '@assistant-bridge/sandbox/assistant/conversation.ts';
import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toAskedWords } from './asked-words.ts';
import { CHANNEL, type LiveWorld, startLiveWorld } from './live-world.ts';

let world: LiveWorld;
let nextAnswer: string | Answer | undefined;

beforeAll(async () => {
  world = await startLiveWorld({
    assistant: { answer: ({ text }) => nextAnswer ?? `answer to ${toAskedWords(text)}` },
  });
  await world.signIn('U0ANA');
});
beforeEach(() => {
  nextAnswer = undefined;
  world.assistant.ledger.clear();
  world.assistant.faults.clear();
  world.slack.ledger.clear();
});
afterEach(() => world.assistant.release());
afterAll(() => world.close());

const ana = () => world.slack.as('U0ANA');

describe('an answer', () => {
  it('of any length arrives whole, in order, and only its last message has the buttons', async () => {
    const words = Array.from({ length: 8_000 }, (_, index) => `word${index}`);
    nextAnswer = words.map((word, index) => (index % 50 === 49 ? `${word}\n\n` : word)).join(' ');

    const question = await world.ask('tell me everything');
    await world.slack.until(() =>
      world.repliesIn(question).some((message) => world.slack.render(message).includes('[Good answer]')),
    );

    const replies = world.repliesIn(question).map((message) => world.slack.render(message));
    expect(replies.length).toBeGreaterThan(4);
    expect(replies.join(' ').match(/word\d+/g)).toEqual(words);
    expect(replies.filter((reply) => reply.includes('[Good answer]'))).toHaveLength(1);
    expect(replies.at(-1)).toContain('[Good answer]');
  });

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

  it('is announced by a status for as long as it takes', async () => {
    world.assistant.hold();
    const question = await world.ask('how long?');

    const status = await world.slack.until(() => world.slack.workspace.status(CHANNEL, question.ts));
    world.assistant.release();
    await world.waitForReplies(question);

    expect(status).toMatch(/\w/);
    await world.slack.until(() => world.slack.workspace.status(CHANNEL, question.ts) === undefined);
  });

  it('with files says which were used, which were not, and why', async () => {
    const question = await world.ask(
      'compare https://acme.sharepoint.example/sites/a/plan.docx with https://elsewhere.example/other.pdf',
    );
    const [answer] = await world.waitForReplies(question);

    expect(world.assistant.ledger.chats()[0]?.files).toEqual(['https://acme.sharepoint.example/sites/a/plan.docx']);
    expect(answer).toContain('Files given to the assistant');
    expect(answer).toContain('plan.docx');
    expect(answer).toContain('within the last 12 hours');
    expect(answer).toMatch(/Not used: .*other\.pdf/);
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
  it.each(['504-json', '504-html', '502', 'reset-after-body'] as const)(
    'with %s is asked once; the person is told in plain words and can ask again',
    async (fault) => {
      world.assistant.faults.next(fault);

      const question = await world.ask(`will it fail with ${fault}?`);
      const [notice] = await world.waitForReplies(question);

      expect(world.assistant.ledger.chats()).toHaveLength(1);
      expect(notice).toContain('It may have counted as a question');
      expect(notice).toContain('[Ask again]');
      expect(notice).not.toMatch(/50[024]|html|UnknownError|upstream|ECONN/i);
    },
  );

  it('answers when it is asked again, by the button', async () => {
    world.assistant.faults.next('504-json');
    const question = await world.ask('second time lucky');
    await world.waitForReplies(question);
    const [notice] = world.repliesIn(question);
    if (!notice) throw new Error('no notice');

    await ana().click(notice, 'Ask again');
    const replies = await world.waitForReplies(question, 2);

    expect(replies[1]).toContain('answer to second time lucky');
    expect(world.assistant.ledger.chats()).toHaveLength(2);
  });

  it('with 429 is asked again after the time it names', async () => {
    world.assistant.faults.next('429-seconds', { retryAfterS: 1 });

    const question = await world.ask('too many?');
    const replies = await world.waitForReplies(question);

    const [first, second] = world.assistant.ledger.chats();
    expect(replies).toEqual([expect.stringContaining('answer to too many?')]);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(950);
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

  it('that answers with nothing, or with the question alone, is said so', async () => {
    world.assistant.faults.next('echo-only');

    const question = await world.ask('hello?');
    const [notice] = await world.waitForReplies(question);

    expect(notice).toContain('had no answer');
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

/** What Slack was given as Markdown: labels, addresses, and what stands behind them. */
function markdownOf({ blocks }: Message): string {
  return blocks.flatMap(({ type, text }) => (type === 'markdown' ? [String(text)] : [])).join('\n');
}
