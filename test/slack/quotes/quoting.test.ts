import { beforeEach, describe, expect, it } from 'vitest';
import type { Question } from '../../../src/conversation/question.ts';
import { SECRECY } from '../../../src/conversation/secrecy.ts';
import type { ThreadConversation, Turn } from '../../../src/conversation/turn.ts';
import type { HttpResponse } from '../../../src/http/http-client.ts';
import { english } from '../../../src/languages/english.ts';
import { createLog } from '../../../src/log.ts';
import { createQuote } from '../../../src/slack/quotes/quoting.ts';
import { buildNotice, buildRoot } from '../../../src/slack/views/notice-message.ts';
import type { CallSlack } from '../../../src/slack/web/methods.ts';
import { SlackRateLimitedError } from '../../../src/slack/web/slack-errors.ts';
import { aQuestion, aTurn } from '../../conversation/a-question.ts';
import { INSTALLATION } from '../a-slack.ts';
import { only } from '../only.ts';

type Message = { ts: string; user?: string; bot_id?: string; text: string; blocks?: object[]; files?: object[] };

const toRichText = (text: string) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
});

/** A message of ours with text of the service; an answer names its turn. */
const ours = (ts: string, text: string, turn?: string): Message => {
  const buttons = turn ? [{ type: 'actions', elements: [{ action_id: 'answer_details', value: turn }] }] : [];
  return { ts, user: 'UBOT', bot_id: 'B1', text, blocks: [toRichText(text), ...buttons] };
};

const END = '[End of the quotes. My question:]';

let thread: Message[];
let calls: { args: Record<string, unknown>; importance: string | undefined }[];
let asked: Map<string, Turn>;
let named: string[];
/** Whose names need no call. */
let known: string[];
/** What Slack returns of the thread, at most. */
let page: number;
let isOff: boolean;
/** What each file says. */
let file: string;

beforeEach(() => {
  file = '';
  calls = [];
  named = [];
  known = [];
  asked = new Map();
  page = 1_000;
  isOff = false;
  thread = [
    { ts: '100.1', user: 'UBEN', text: 'root' },
    { ts: '100.2', user: 'UANA', text: '<@UBOT> first?' },
    ours('100.3', 'the first answer', 'message:T1:C1:100.2'),
    { ts: '100.4', user: 'UKIM', text: 'a remark for <@UBEN>' },
  ];
});

const call: CallSlack = async (method, _token, args, importance): Promise<never> => {
  if (method !== 'conversations.replies') throw new Error(`${method} is not called`);
  calls.push({ args: args as Record<string, unknown>, importance });
  const { oldest = '0', latest = '999', cursor = '0' } = args as Record<string, string>;
  const inWindow = thread.filter(
    ({ ts }, index) =>
      (index === 0 && cursor === '0') || (Number(ts) >= Number(oldest) && Number(ts) <= Number(latest)),
  );
  const from = Number(cursor);
  const next_cursor = from + page < inWindow.length ? String(from + page) : '';
  return { messages: inWindow.slice(from, from + page), response_metadata: { next_cursor } } as never;
};

/** Slack shows the first page, and then nothing for a minute. */
const onlyOnce: CallSlack = async (method, token, args, importance) => {
  if (calls.length === 1) throw new SlackRateLimitedError(method, 60_000);
  return call(method, token, args, importance);
};

const FOLLOW_UP: Partial<Question> = { startsThread: false, messageTs: '100.9', text: 'and?' };

const readQuoted = (text: string) => text.split('\n').filter((line) => line.startsWith('> '));

const toProfile = (user: string) => ({
  name: `Name of ${user}`,
  handle: '',
  isMember: true,
  isWorkspaceAdmin: false,
  hasLeft: false,
});

function start(change: Partial<Question> = FOLLOW_UP, slack: CallSlack = call) {
  const quote = createQuote({
    call: slack,
    findInstallation: async () => INSTALLATION,
    people: only({
      known: (_workspace, user) => (known.includes(user) ? toProfile(user) : undefined),
      profile: async (_workspace, user) => {
        named.push(user);
        return toProfile(user);
      },
    }),
    channels: only({
      directMessage: async () => 'D1',
      look: async () => ({ isShared: false, isMember: true, isPublic: true, name: 'general' }),
    }),
    groups: only({}),
    http: { send: async () => ({ status: 200, headers: {}, text: async () => file }) as HttpResponse },
    apiUrl: 'https://slack.example/api',
    turns: { get: async (id) => asked.get(id) },
    passesOn: async () => !isOff,
    log: createLog('silent'),
  });
  return quote(aQuestion(change), 'en');
}

const aConversation = (change: Partial<ThreadConversation> = {}): ThreadConversation => ({
  schema: 1,
  id: 'c1',
  workspace: 'T1',
  owner: 'UANA',
  heldBy: 'thread',
  secrecy: SECRECY.none,
  turnCount: 1,
  readUpTo: '100.2',
  ...change,
});

async function compose(known?: ThreadConversation, change?: Partial<Question>, slack?: CallSlack) {
  return (await start(change, slack)).compose(known);
}

it('names the people whom the asker mentions, with quotes and without', async () => {
  known = ['UBEN', 'UKIM'];
  const text = 'what does @UBEN want of @UKIM?';

  const first = await compose(undefined, { ...FOLLOW_UP, text });
  const alone = await compose(undefined, { text });

  const words = 'what does @Name of UBEN want of @Name of UKIM';
  expect(first.text.split(`${END}\n`)[1]).toContain(words);
  expect(alone.text).toContain(words);
  expect([first.own, alone.own]).toEqual([first.text.split(`${END}\n`)[1], alone.text]);
});

it('names the public channels that the asker mentions', async () => {
  const { text } = await compose(undefined, { text: 'what is new in #C0GENERAL, and in #C1?' });

  expect(text).toBe('what is new in #general, and in #C1?');
});

describe('the first question in a thread', () => {
  it('asks Slack for three unknown names only, those of the newest messages first', async () => {
    thread = Array.from({ length: 30 }, (_, index) => ({ ts: `100.${10 + index}`, user: `UP${index}`, text: 'x' }));

    known = ['UP28', 'UP1'];

    const { text } = await compose(undefined, { ...FOLLOW_UP, messageTs: '101.0' });

    expect(named).toEqual(['UP29', 'UP27', 'UP26']);
    for (const name of ['Name of UP28', 'Name of UP1', 'UP0', 'UP2']) expect(text).toContain(`“${name}” wrote:`);
  });

  it('takes along the root and the newest hundred of a long thread, and says how many are missing', async () => {
    thread = Array.from({ length: 300 }, (_, index) => ({
      ts: `100.${1000 + index}`,
      user: 'UBEN',
      text: `n${index}`,
    }));

    const { text, details } = await compose(undefined, { ...FOLLOW_UP, messageTs: '101.0' });

    expect(text).toContain('> n0\n');
    expect(text).toContain('> n299\n');
    expect(text).not.toContain('> n150\n');
    expect(details.quotes).toEqual({ messages: 101, cut: 199 });
  });

  it('is content with what Slack shows at once, and leaves the rest to the next question', async () => {
    page = 2;

    const { text, notes, readUpTo } = await compose(undefined, FOLLOW_UP, onlyOnce);

    expect(text).toContain('> root\n');
    expect(text).not.toContain('a remark');
    expect({ notes, readUpTo }).toEqual({ notes: { isUnread: true }, readUpTo: '100.2' });
  });

  it('that is tried again goes along with what was read before, if Slack shows nothing any more', async () => {
    const quoting = await start(FOLLOW_UP, onlyOnce);

    const first = await quoting.compose(undefined);
    const again = await quoting.compose(undefined);

    expect(again).toEqual(first);
    expect(again.text).toContain('> root\n');
  });

  it('takes along a question that we show as its asker’s words, and none of our notices', async () => {
    const [context, section] = buildRoot(
      aQuestion({ asker: { team: 'T1', user: 'UKIM' }, text: 'a < b?' }),
      english,
    ).blocks;
    thread = [
      {
        ts: '100.1',
        user: 'UBOT',
        bot_id: 'B1',
        text: 'a < b?',
        blocks: [context, section].flatMap((one) => one ?? []),
      },
      {
        ts: '100.2',
        user: 'UBOT',
        bot_id: 'B1',
        text: 'Stopped.',
        blocks: buildNotice('t', { kind: 'notice', code: 'stopped' }, english).blocks,
      },
    ];

    const { text } = await compose();

    expect(text.split('\n').slice(2)).toEqual(['“Name of UKIM” wrote:', '> a < b?', END, 'and?']);
  });

  it('at the root of a thread reads nothing', async () => {
    expect(await compose(undefined, { text: 'root?' })).toMatchObject({ text: 'root?', readUpTo: '100.1' });
    expect(calls).toEqual([]);
  });
});

/** The turn of a question, answered in a conversation by one message. */
const answered = (messageTs: string, ts: string, conversation = 'c1'): Turn =>
  aTurn({
    question: aQuestion({ messageTs }),
    stage: 'done',
    result: 'answer',
    conversation,
    parts: [{ step: 'placed', channel: 'C1', ts }],
  });

describe('a follow-up', () => {
  it('takes along what was written since, but no questions to us and no answers of ours', async () => {
    thread.push({ ts: '100.5', user: 'UANA', text: 'second?' }, { ts: '100.6', user: 'UBEN', text: 'not a question' });
    asked.set('message:T1:C1:100.2', answered('100.2', '100.3')).set('message:T1:C1:100.5', answered('100.5', '100.7'));

    const { text, readUpTo } = await compose(aConversation());

    expect(readQuoted(text)).toEqual(['> a remark for @Name of UBEN', '> not a question']);
    expect(readUpTo).toBe('100.9');
    expect(calls[0]).toMatchObject({ args: { oldest: '100.2', latest: '100.9' }, importance: 'extra' });
  });

  it('in a conversation of one’s own takes along the questions of others and the answers to them', async () => {
    thread.push(
      { ts: '100.5', user: 'UBEN', text: '<@UBOT> Ben asks' },
      ours('100.6', 'Ben is answered', 'message:T1:C1:100.5'),
      { ts: '100.7', user: 'UANA', text: 'Ana asks' },
      ours('100.8', 'Ana is answered', 'again:message:T1:C1:100.7:again'),
    );
    asked
      .set('message:T1:C1:100.5', answered('100.5', '100.6', 'c2'))
      .set('message:T1:C1:100.7', answered('100.7', '100.75'))
      .set('again:message:T1:C1:100.7:again', answered('100.7', '100.8'));

    const { text } = await compose(aConversation({ secrecy: SECRECY.others }));

    expect(text).toContain('> Ben asks\nYou, the assistant, wrote:\n> Ben is answered\n');
    expect(text).not.toContain('Ana asks');
    expect(text).not.toContain('Ana is answered');
  });

  it('takes along the questions that were not answered in its conversation, and answers shared later', async () => {
    thread.push({ ts: '100.5', user: 'UANA', text: '<@UBOT> it was refused' }, ours('100.6', 'shared by Ben'), {
      ts: '100.7',
      user: 'UBEN',
      text: '<@UBOT> asked in private',
    });
    asked
      .set('message:T1:C1:100.2', answered('100.2', '100.3'))
      .set('message:T1:C1:100.5', aTurn({ stage: 'done', result: 'forbidden' }))
      .set('message:T1:C1:100.7', answered('100.7', '100.8', 'c2'));

    const { text } = await compose(aConversation());

    expect(readQuoted(text)).toEqual([
      '> a remark for @Name of UBEN',
      '> it was refused',
      '> shared by Ben',
      '> asked in private',
    ]);
  });

  it.each(['channel', 'person'] as const)(
    'of a conversation in which nothing was answered takes along everything, whatever was read: %s',
    async (audience) => {
      const { text } = await compose(aConversation({ turnCount: 0, readUpTo: '100.9' }), { ...FOLLOW_UP, audience });

      expect(text).toContain('> the first answer\n');
    },
  );

  it('in a direct message reads nothing, because nobody else writes there', async () => {
    expect(await compose(aConversation(), { ...FOLLOW_UP, audience: 'person' })).toMatchObject({ text: 'and?' });
    expect(calls).toEqual([]);
  });

  it('that is asked again reads nothing that went along the first time', async () => {
    const known = aConversation({ readUpTo: '100.9' });

    expect(await compose(known, { ...FOLLOW_UP, isAskedAgain: true })).toMatchObject({ text: 'and?' });
    expect(calls).toEqual([]);
  });
});

describe('a question about a message', () => {
  const ABOUT: Partial<Question> = { origin: 'shortcut', messageTs: undefined, about: '100.2', text: 'why?' };

  it('takes that message along, however much was read before', async () => {
    const { text } = await compose(aConversation({ readUpTo: '100.8' }), { ...ABOUT, startsThread: false });

    expect(readQuoted(text)).toEqual(['> first?']);
    expect(calls[0]?.args).toMatchObject({ oldest: '100.2' });
  });

  it('takes it along apart from the rest of its thread', async () => {
    const { text } = await compose(undefined, { ...ABOUT, startsThread: false });

    expect(text.split('\n').slice(-5)).toEqual([
      '[My question is about this message:]',
      'I, “Name of UANA”, wrote:',
      '> first?',
      END,
      'why?',
    ]);
    expect(text).toContain('[From the thread in which I ask:]\n“Name of UBEN” wrote:\n> root\n');
  });

  it('says below the answer that the message does not go along where that is off', async () => {
    isOff = true;

    expect(await compose(undefined, ABOUT)).toMatchObject({ text: 'why?', notes: { isOff: true } });
  });
});

it('where nothing of others goes along, links shared earlier in the thread still do, with the first question only', async () => {
  isOff = true;
  thread[0] = { ts: '100.1', user: 'UBEN', text: '<https://files.example/plan.docx>' };
  const first = await compose();
  const second = await compose(aConversation());

  expect(first).toMatchObject({ text: 'and?', links: ['https://files.example/plan.docx'] });
  expect(second).toMatchObject({ text: 'and?', links: [] });
  expect(calls).toHaveLength(1);
});

describe('a text file', () => {
  const toUpload = (name: string) => ({ id: name, name, url: `https://files.slack.com/${name}` });

  it('is cut where it is long, all together after 20,000 characters, with a word about it', async () => {
    file = 'word '.repeat(10_000);

    const { text, notes } = await compose(undefined, { uploads: ['a', 'b', 'c'].map(toUpload) });

    expect(text.length).toBeGreaterThan(19_000);
    expect(text.length).toBeLessThan(21_000);
    expect(text.match(/The file “[abc]” says:/g)).toHaveLength(3);
    expect(notes).toEqual({ cut: 3 });
  });

  it('that is a page is read, and the page with which Slack asks to sign in is not', async () => {
    file = '<!DOCTYPE html><p>Grüße</p>';
    const read = async (size: number) =>
      (await compose(undefined, { uploads: [{ ...toUpload('a'), size }] })).details.textFiles;

    expect([await read(Buffer.byteLength(file)), await read(100)]).toEqual([1, undefined]);
  });

  it('of the asker that was read is not said to be left out because others shared files of the same name', async () => {
    file = 'words';
    const files = ['1', '2', '3'].map((id) => ({
      ...toUpload('a'),
      id,
      url_private: toUpload('a').url,
      mode: 'snippet',
    }));
    thread[0] = { ts: '100.1', user: 'UBEN', text: 'root', files };
    const unusable = [{ name: 'a', reason: 'upload' as const }];

    const quoted = await compose(undefined, { ...FOLLOW_UP, uploads: [toUpload('a')], unusable });

    expect(quoted).toMatchObject({ unusable: [], details: { textFiles: 3 } });
  });
});
