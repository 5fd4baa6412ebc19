import sinon from 'sinon';
import { beforeEach, onTestFinished } from 'vitest';
import type { AskCall } from '../../src/assistant/assistant-client.ts';
import { acceptTurn } from '../../src/conversation/accept-turn.ts';
import type { Notice, Outcome } from '../../src/conversation/outcome.ts';
import type { Question } from '../../src/conversation/question.ts';
import type { PartKey, Reply, ReplyMessage } from '../../src/conversation/reply.ts';
import type { RunPorts } from '../../src/conversation/run.ts';
import { runTurn } from '../../src/conversation/run-turn.ts';
import { SECRECY } from '../../src/conversation/secrecy.ts';
import type { Turn } from '../../src/conversation/turn.ts';
import { createLog } from '../../src/log.ts';
import { beginRun } from '../storage/begin-run.ts';
import { createMemoryStore } from '../storage/memory-store.ts';
import { aQuestion } from './a-question.ts';

/** What a place in Slack shows, in words: one entry a message. `key`: which part of which turn is written into it. */
type Shown = { ts: string; channel: string; words: string; key: string };

/** A real store and a thread that only remembers what was put into it; everything can be made to fail. */
export function startHarness() {
  let time = 1_000_000;
  const now = () => time;
  const store = createMemoryStore(now);
  const shown: Shown[] = [];
  const told: string[] = [];
  const asked: AskCall[] = [];
  const woken: string[] = [];
  const busy = new Set<string>();
  const outcomes: Outcome[] = [];
  const reply = aReply({ shown, told, busy, outcomes });
  const ports: RunPorts = {
    turns: store.turns,
    threads: store.threads,
    reply,
    assistant: {
      createConversation: async () => ({ id: `conversation-${asked.length + 1}` }),
      ask: async (call) => {
        asked.push(call);
        return anAnswer(`answer to ${call.text}`);
      },
    },
    admit: async () => undefined,
    rules: async () => ({ isRefused: false, isPrivate: false, isWebOff: false }),
    checkCaps: async () => undefined,
    access: async () => ({ accessToken: 'token', isPrivate: false }),
    renewToken: async () => 'renewed',
    assistantPausedMs: () => 0,
    isHeld: () => true,
    audience: async () => 'members',
    privateChannel: async () => 'D1',
    timeZone: async () => 'Europe/Berlin',
    askerName: () => 'Ana Alvarez',
    language: async () => 'en',
    quote: async ({ text, unusable }) => ({
      secrecy: SECRECY.none,
      compose: async () => ({ text, own: text, links: [], unusable, details: {} }),
    }),
    readQuestion: async () => undefined,
    readShared: async () => [],
    fileRules: { allowedHosts: ['files.example'] },
    tell: () => undefined,
    count: () => undefined,
    wake: (lane) => void woken.push(lane),
    now,
    waitClock: now,
    log: createLog('silent'),
  };
  const id = 'message:T1:C1:100.1';
  async function run(turnId = id, signal = new AbortController().signal): Promise<boolean> {
    const turn = await beginRun(store.turns, turnId);
    return turn ? runTurn(turn, ports, signal) : false;
  }
  return {
    store,
    ports,
    reply,
    shown,
    words: () => shown.map((one) => one.words),
    told,
    /** The threads that show that they are worked on. */
    busy,
    /** What was decided, which a turn drops in the end. */
    outcomes,
    details: () => outcomes.flatMap((one) => (one.kind === 'notice' ? [one.detail] : [])),
    asked,
    woken,
    pass(ms: number) {
      time += ms;
    },
    accept: (change: Partial<Question> = {}, turnId = id) =>
      acceptTurn(turnId, aQuestion(change), { ...store, reserve: () => undefined, wake: async () => undefined, now }),
    run,
    /** Runs it so far apart (ms) until it is done. Returns how often. */
    async runUntilDone(everyMs: number, turnId = id): Promise<number> {
      for (let runs = 0; runs < 100; runs++) {
        if ((await store.turns.get(turnId))?.stage === 'done') return runs;
        await run(turnId);
        time += everyMs;
      }
      throw new Error(`${turnId} is not done after 100 runs`);
    },
    turn: (turnId = id): Promise<Turn | undefined> => store.turns.get(turnId),
  };
}

export function anAnswer(text: string, turnCount = 1) {
  return { text, sources: [], turnCount, disengaged: false, partial: false, sensitivity: undefined };
}

export type Harness = ReturnType<typeof startHarness>;

/** From here on in a test, a pause takes no time; what is paused for longer still goes on later. */
export function skipPauses(): void {
  const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  clock.setTickMode({ mode: 'nextAsync' });
  onTestFinished(() => clock.restore());
}

/** A new one for each test of a file. */
export function useHarness(): Harness {
  const harness = {} as Harness;
  beforeEach(() => void Object.assign(harness, startHarness()));
  return harness;
}

type Seen = { shown: Shown[]; told: string[]; busy: Set<string>; outcomes: Outcome[] };

function aReply({ shown, told, busy, outcomes }: Seen): Reply {
  let count = 0;
  const words = ({ content }: ReplyMessage) => String(content);
  return {
    async compose(turn) {
      if (turn.outcome) outcomes.push(turn.outcome);
      return composeWords(turn);
    },
    composeWaiting: ({ question: { channel, threadTs } }) => ({ channel, threadTs, content: 'waits' }),
    async create(message, key) {
      const ts = `900.${++count}`;
      shown.push({ ts, channel: message.channel, words: words(message), key: toShownKey(key) });
      return ts;
    },
    async edit(message, ts) {
      const existing = shown.find((one) => one.ts === ts);
      if (!existing) return 'gone';
      existing.words = words(message);
      return 'edited';
    },
    find: async ({ channel }, key) =>
      shown.filter((one) => one.channel === channel && one.key === toShownKey(key)).map(({ ts }) => ts),
    stream: () => undefined,
    endStream: async () => undefined,
    async remove(_channel, ts) {
      shown.splice(0, shown.length, ...shown.filter((one) => one.ts !== ts));
    },
    startWorking: ({ question }) => void busy.add(String(question.threadTs)),
    stopWorking: async ({ question }) => void busy.delete(String(question.threadTs)),
    whisper: async (_turn, notice: Notice) => void told.push(notice.code),
    async promptSignIn(_turn, hasPrompted) {
      told.push(hasPrompted ? 'waits as well' : 'sign in');
      return { hasPrompted: !hasPrompted };
    },
  };
}

export function toShownKey({ turnId, part }: Pick<PartKey, 'turnId' | 'part'>): string {
  return `${turnId}, part ${part}`;
}

function composeWords({ question, outcome }: Turn): ReplyMessage[] {
  const { channel, threadTs } = question;
  const root = question.messageTs ? [] : [{ channel, content: `root: ${question.text}`, isFixed: true }];
  if (outcome?.kind === 'notice') return [...root, { channel, threadTs, content: outcome.code }];
  if (outcome?.kind === 'shared') return outcome.messages.map(({ text }) => ({ channel, threadTs, content: text }));
  if (outcome?.kind !== 'answer') return root;
  const texts = outcome.text.split('|');
  return [...root, ...texts.map((content) => ({ channel: outcome.privateChannel ?? channel, threadTs, content }))];
}
