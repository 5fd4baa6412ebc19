import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { shareLiveWorld } from './live-world.ts';

const STEPS = Array.from({ length: 8 }, (_, index) => `${index + 1}. Step ${index + 1} takes *as long* as it takes.`);

const ANSWER = [
  '## The plan <!channel>',
  '',
  'The plan is in **the folder** that [everybody knows](https://acme.example/plan), and it begins in May.',
  '',
  ...STEPS,
  '',
  'That is all.',
].join('\n');

const LONG_PART = [
  '## 見出し <!here>\n\n',
  '東京は日本の首都であり、多くの人々が住んでいます。'.repeat(40),
  '\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nconst a = 1 < 2;\n```\n\n',
  'It goes on and on, with `code` and **bold text**. '.repeat(60),
  '\n\n',
].join('');

const LONG_ANSWER = LONG_PART.repeat(Math.ceil(100_000 / LONG_PART.length)).slice(0, 99_990);

const ANSWERS: Record<string, string> = { plan: ANSWER, long: LONG_ANSWER };

/** An answer takes fifteen steps: two seconds. What is to be interrupted takes longer: the machine may be busy. */
const STEP_MS = 140;
const SLOW_STEP_MS = 300;
let stepMs = STEP_MS;

const world = shareLiveWorld({
  assistant: {
    stepMs: () => stepMs,
    answer: ({ text }) => ANSWERS[/\b(plan|long)\b/.exec(text)?.[1] ?? ''] ?? `About ${text}`,
  },
});
let dm: string;

beforeAll(() => {
  dm = world.slack.as('U0ANA').dm;
});
beforeEach(() => {
  stepMs = STEP_MS;
});

const ask = (text: string) => world.ask(text, { channel: dm });
const inThread = (ts: string) => world.repliesIn({ channel: dm, ts });
const shownIn = (ts: string) => inThread(ts).map((message) => world.slack.render(message));
const calls = (method: string) => world.slack.ledger.calls(method);
const session = (ts: string) => world.slack.workspace.sessions.session({ channel: dm, threadTs: ts })?.status;

/** Once the answer begins to grow. */
const untilGrowing = (ts: string) => world.find('Step 2', { channel: dm, threadTs: ts });

async function untilComplete(ts: string, words = 'Ask again'): Promise<string[]> {
  await world.find(words, { channel: dm, threadTs: ts });
  await world.slack.until(() => session(ts) === 'active', { what: 'the end of the session' });
  expectAtRest();
  return shownIn(ts);
}

function expectAtRest(): void {
  const open = world.slack.workspace.messages.all().filter(({ stream }) => stream?.state === 'streaming');
  expect(open.map(({ ts }) => ts)).toEqual([]);
  expect(world.slack.workspace.sessions.busy()).toEqual([]);
}

/** The answer as it is without streaming: it comes at once, and Slack refuses one start. */
async function askWhole(text: string): Promise<Message[]> {
  stepMs = 0;
  world.slack.faults.next('chat.startStream', { kind: 'slackError', error: 'restricted_action' });
  const question = await ask(text);
  await untilComplete(question.ts);
  return inThread(question.ts);
}

/** Each different state of a thread until the test ends, as text. */
function watch(ts: string): string[] {
  const states: string[] = [];
  const timer = setInterval(() => {
    const state = shownIn(ts).join('\n');
    if (state !== states.at(-1)) states.push(state);
  }, 10);
  endWatch = () => clearInterval(timer);
  return states;
}

let endWatch = () => {};
afterEach(() => endWatch());

/** Ids of blocks and buttons name the turn, so they differ. */
function withoutIds(messages: Message[]): unknown {
  const shown = JSON.stringify(messages.map(({ text, blocks }) => ({ text, blocks })));
  return JSON.parse(shown.replace(/message:T0001:[\w.:]+/g, ''), (name, value) =>
    name === 'block_id' ? undefined : value,
  );
}

describe('an answer in a direct message', () => {
  it.each([
    ['marks what is unfinished', undefined],
    ['marks nothing', 'stream-unmarked'],
  ] as const)('grows while it arrives from a service that %s, and ends as without streaming', async (_, oddity) => {
    if (oddity) world.assistant.faults.next(oddity);
    const question = await ask('what is the plan?');
    const states = watch(question.ts);
    await untilComplete(question.ts);
    const replies = inThread(question.ts);

    expect(states.length).toBeGreaterThan(2);
    const growing = states.slice(1, -1);
    for (const [index, state] of growing.entries()) expect(state).toContain(growing[index - 1] ?? 'The plan');
    expect(growing.at(-1)).toContain('The plan is in **the folder** that everybody');
    expect(replies).toHaveLength(1);
    expect(replies[0]?.metadata).toBeDefined();
    expect(withoutIds(replies)).toEqual(withoutIds(await askWhole('what is the plan?')));
  });

  it('takes one start, one end and one edit beside what is appended, and one call for the session', async () => {
    // A status that is still on its way when the stream ends is ended once more.
    world.assistant.hold();
    const question = await ask('what is the plan?');
    await world.slack.until(() => calls('agents.sessions.setStatus').length === 1, { what: 'the status' });
    world.assistant.release();
    await untilComplete(question.ts);

    const methods = new Set(world.slack.ledger.calls().map(({ method }) => method));
    expect([...methods].sort()).toEqual([
      'agents.sessions.setStatus',
      'chat.appendStream',
      'chat.startStream',
      'chat.stopStream',
      'chat.update',
    ]);
    for (const method of methods) if (method !== 'chat.appendStream') expect(calls(method), method).toHaveLength(1);
  });

  it('links to nothing while it grows: Slack would fetch a preview of it', async () => {
    const question = await ask('what is the plan?');
    await untilComplete(question.ts);

    const streamed = [...calls('chat.startStream'), ...calls('chat.appendStream')].map(({ arguments: given }) => given);
    expect(streamed).not.toEqual([]);
    expect(JSON.stringify(streamed)).toContain('everybody knows');
    expect(JSON.stringify(streamed)).not.toMatch(/https?:\/\/|<!/);
    expect(JSON.stringify(inThread(question.ts)[0]?.blocks)).toContain('https://acme.example/plan');
  });

  it('of 100,000 characters arrives whole, with tables, code, headings and Chinese signs', async () => {
    const question = await ask('give me the long one');
    await untilComplete(question.ts);
    const replies = inThread(question.ts);
    expect(calls('chat.startStream').length + calls('chat.appendStream').length).toBeGreaterThan(1);
    const whole = await askWhole('give me the long one');

    expect(replies.length).toBeGreaterThan(5);
    expect(withoutIds(replies)).toEqual(withoutIds(whole));
  });

  it('to a command grows below the question that is shown for it', async () => {
    await world.slack.as('U0ANA').command('/assistant-web-off', 'what is the plan by command?', dm);
    const { ts } = await world.findDirect('the plan by command');
    await untilGrowing(ts);
    await untilComplete(ts);

    expect(inThread(ts)).toHaveLength(1);
    expect((await world.findDirect('the plan by command')).ts).toBe(ts);
    expect(calls('chat.startStream')).toHaveLength(1);
  });

  it('that breaks off is shown as far as it came', async () => {
    world.assistant.faults.next('stream-cut');
    const question = await ask('what is the plan?');
    const [reply] = await untilComplete(question.ts);

    expect(reply).toContain('The connection broke before the end');
    expect(inThread(question.ts)).toHaveLength(1);
  });
});

describe('Stop in a growing answer', () => {
  it.each([false, true])(
    'leaves what had arrived, with a word below (Slack leaves the stream open: %s)',
    async (keepsStreams) => {
      stepMs = SLOW_STEP_MS;
      const question = await ask('what is the plan?');
      await untilGrowing(question.ts);

      await world.slack.as('U0ANA').stop({ channel: dm, threadTs: question.ts }, { keepsStreams });
      const replies = await untilComplete(question.ts, 'Stopped.');

      expect(replies).toHaveLength(1);
      expect(replies[0]).toMatch(/The plan is in [\s\S]*Step 2[\s\S]*Stopped\.[\s\S]*\[Ask again\]/);
      expect(replies[0]).not.toContain('That is all');

      const [stopped] = inThread(question.ts);
      stepMs = 0;
      if (stopped) await world.slack.as('U0ANA').click(stopped, 'Ask again');
      await untilComplete(question.ts, 'That is all.');
      expect(inThread(question.ts)).toHaveLength(2);
    },
  );
});

describe('a stream that meets a fault ends as one complete answer', () => {
  // What else Slack may answer to them is in slack/answer-stream.test.ts.
  const FAULTS = [
    { kind: 'resetAfterProcessing' },
    { kind: 'slackError', error: 'message_not_in_streaming_state' },
  ] as const;
  const METHODS = ['chat.startStream', 'chat.appendStream', 'chat.stopStream'];

  it.each(METHODS.flatMap((method) => FAULTS.map((fault) => ({ method, fault, name: JSON.stringify(fault) }))))(
    '$method, $name',
    async ({ method, fault }) => {
      world.slack.faults.next(method, fault);
      const question = await ask('what is the plan?');
      const [reply] = await untilComplete(question.ts);

      expect(reply).toContain('That is all.');
      expect(inThread(question.ts)).toHaveLength(1);
      expect(world.assistant.ledger.chats()).toHaveLength(1);
    },
  );

  it('where Slack ends the stream by itself', async () => {
    const question = await ask('what is the plan?');
    await untilGrowing(question.ts);
    for (const { stream } of inThread(question.ts)) if (stream) stream.state = 'finished';
    const [reply] = await untilComplete(question.ts);

    expect(reply).toContain('That is all.');
    expect(inThread(question.ts)).toHaveLength(1);
  });
});

// Last: it is remembered for an hour.
describe('where Slack does not stream', () => {
  it('an answer is posted when it is complete, and no stream is tried again', async () => {
    world.slack.faults.always('chat.startStream', { kind: 'slackError', error: 'not_agent_app' });
    for (const text of ['what is the plan?', 'and what is the next plan?']) {
      const question = await ask(text);
      await untilComplete(question.ts);
    }

    expect(calls('chat.startStream')).toHaveLength(1);
    expect(calls('chat.postMessage')).toHaveLength(2);
  });
});
