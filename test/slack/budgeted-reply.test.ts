import { expect, it } from 'vitest';
import { codeOf } from '../../src/errors.ts';
import { createLog } from '../../src/log.ts';
import { createAgentSessions } from '../../src/slack/agent-sessions.ts';
import { createMessenger } from '../../src/slack/messenger.ts';
import { createSignInPrompts } from '../../src/slack/sign-in-prompts.ts';
import { createSlackReply } from '../../src/slack/slack-reply.ts';
import { MAX_ROOT_LENGTH } from '../../src/slack/views/notice-message.ts';
import { SlackRateLimitedError, SlackRefusedError } from '../../src/slack/web/slack-errors.ts';
import { aQuestion, aTurn } from '../conversation/a-question.ts';
import { createMemoryStore } from '../storage/memory-store.ts';
import { aSlack, budgeted, findInstallation, NAMERS } from './a-slack.ts';

const log = createLog('silent');

/** A reply whose calls of some methods get a 429, and of some a refusal; of all others nothing but an answer. */
function open(limited: string[], refused: string[] = [], code = 'not_allowed') {
  const methods: string[] = [];
  const slack = aSlack((method) => {
    methods.push(method);
    if (limited.includes(method)) throw new SlackRateLimitedError(method, 60_000);
    if (refused.includes(method)) throw new SlackRefusedError(method, code);
    return { ts: '1.1' };
  });
  const call = budgeted(slack.call);
  const { once } = createMemoryStore();
  const reply = createSlackReply({
    ...NAMERS,
    call,
    findInstallation,
    messenger: createMessenger({ call, findInstallation, channels: { directMessage: async () => 'D1' } }),
    prompts: createSignInPrompts({ once, turns: { get: async () => undefined }, now: Date.now }),
    sessions: createAgentSessions({ ...NAMERS, call, log }),
    now: Date.now,
    log,
  });
  return { reply, methods };
}

const content = { text: 'answer' };

it('a reply without budget for its status does without it, and comes at once', async () => {
  const { reply, methods } = open(['agents.sessions.setStatus']);

  for (let time = 0; time < 3; time++) {
    reply.startWorking(aTurn());
    await reply.stopWorking(aTurn());
  }
  const ts = await reply.create({ channel: 'C1', content }, { workspace: 'T1', turnId: 'turn', part: 0 });

  expect(ts).toBe('1.1');
  expect(methods).toEqual(['agents.sessions.setStatus', 'chat.postMessage']);
});

it('a word to the asker alone leaves budget for answers', async () => {
  const { reply, methods } = open([]);
  const turn = aTurn({ question: aQuestion({ audience: 'person' }) });
  const words = Array.from({ length: 300 }, (_, index) =>
    reply.whisper({ ...turn, question: { ...turn.question, channel: `D${index}` } }, { kind: 'notice', code: 'guest' }),
  );
  const held = (await Promise.allSettled(words)).filter(({ status }) => status === 'rejected');
  methods.length = 0;

  const answers = Array.from({ length: 50 }, (_, part) =>
    reply.create({ channel: `C${part}`, content }, { workspace: 'T1', turnId: 'turn', part }),
  );
  await Promise.all(answers);

  expect(held.length).toBeGreaterThan(30);
  expect(methods).toHaveLength(50);
});

it('answers are streamed as long as there is room to end the streams, too', async () => {
  const { reply, methods } = open([]);
  const key = { workspace: 'T1', turnId: 'turn', part: 0 };
  const record = {
    begin: async () => key,
    placed: async () => undefined,
    refused: () => undefined,
    ended: () => undefined,
  };
  const streams = Array.from({ length: 20 }, () => reply.stream(aTurn(), record));
  for (const stream of streams) stream?.grow(() => 'This is a sentence. And another one.');

  await expect.poll(() => methods.length).toBe(15);
  await Promise.all(streams.map((stream) => stream?.close()));
  for (let end = 0; end < 20; end++) await reply.endStream(aTurn(), { step: 'placed', channel: 'D1' }, '1.1', key);

  expect(methods.filter((method) => method === 'chat.startStream')).toHaveLength(15);
  expect(methods.filter((method) => method === 'chat.stopStream')).toHaveLength(20);
});

it.each([
  ['is replaced', [], ['chat.delete'], undefined],
  ['is replaced later where there is no budget now', ['chat.update'], ['chat.delete'], 'slack_rate_limited'],
  ['stays where Slack allows neither', [], ['chat.delete', 'chat.update'], undefined],
])('an outdated message that may not be deleted %s', async (_, limited, refused, code) => {
  const { reply, methods } = open(limited, refused);

  const failed: unknown = await reply.remove('C1', '1.1', 'T1').catch((error: unknown) => error);

  expect(methods).toEqual(['chat.delete', 'chat.update']);
  expect(codeOf(failed)).toBe(code ?? '');
});

it.each([[[]], [['chat.postEphemeral']]])(
  'somebody who asks in a channel is asked to sign in once in their direct messages, where Slack refuses there: %s',
  async (refused) => {
    const { reply, methods } = open([], refused);

    const told = await reply.promptSignIn(aTurn(), false);

    expect(methods).toEqual(['chat.postMessage', 'chat.postEphemeral']);
    expect(told).toEqual({ hasPrompted: true, prompt: { channel: 'D1', ts: '1.1' } });
  },
);

it.each([
  ['names those whom it mentions', ' wants?', '@Name of UBEN wants?'],
  ['keeps ids where names would make it too long', ' '.repeat(MAX_ROOT_LENGTH - 5), '@UBEN  '],
])('a question that a command shows %s', async (_, text, shown) => {
  const question = aQuestion({ origin: 'command', messageTs: undefined, text: `@UBEN${text}` });

  const [root] = await open([]).reply.compose(aTurn({ question }));

  expect(JSON.stringify(root)).toContain(`"${shown}`);
});

it.each([
  ['message_not_found', 'gone'],
  ['channel_not_found', 'gone'],
  ['cant_update_message', 'gone'],
  ['edit_window_closed', 'gone'],
  ['is_inactive', 'gone'],
  ['msg_too_long', undefined],
])('a message that Slack does not let us edit is posted anew: %s', async (code, expected) => {
  const { reply } = open([], ['chat.update'], code);
  const key = { workspace: 'T1', turnId: 'turn', part: 0 };

  expect(await reply.edit({ channel: 'C1', content }, '1.1', key).catch(() => undefined)).toBe(expected);
});
