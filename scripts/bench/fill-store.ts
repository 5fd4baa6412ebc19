import type { Store } from '../../src/backend/store.ts';
import { type Question, toThreadKey } from '../../src/conversation/question.ts';
import { SECRECY } from '../../src/conversation/secrecy.ts';
import type { ThreadConversation } from '../../src/conversation/stores.ts';
import type { Turn } from '../../src/conversation/turn.ts';
import { ASKER, CHANNEL } from './bench-world.ts';

/** Both stores write what comes together together. */
const AT_ONCE = 500;

/** One after the other, and all within what is kept: see src/backend/store.ts. */
const SPACING_MS = 1_000;

/** Writes as many threads as a past use of the app would have left: engaged, with a conversation and an answered turn. */
export async function fillStore(store: Store, team: string, threads: number): Promise<void> {
  const now = Date.now();
  for (let done = 0; done < threads; done += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, threads - done) }, (_, index) => done + index);
    await Promise.all(batch.map((number) => writeThread(store, team, now - (threads - number) * SPACING_MS)));
  }
}

async function writeThread({ turns }: Store, team: string, at: number): Promise<void> {
  const ts = (at / 1000).toFixed(6);
  const turn = buildTurn(team, ts, at);
  const { lane } = turn;
  const conversation: ThreadConversation = {
    schema: 1,
    id: `conversation-${ts}`,
    workspace: team,
    owner: ASKER,
    heldBy: 'thread',
    secrecy: SECRECY.none,
    turnCount: 1,
  };
  await turns.accept(turn, [{ kind: 'engage', thread: lane, user: ASKER, workspace: team }]);
  const kept = { kind: 'keep', thread: lane, conversation, former: undefined } as const;
  const isSaved = await turns.save({ ...turn, stage: 'done', result: 'answer' }, [kept]);
  if (!isSaved) throw new Error(`the store did not take turn ${turn.id}`);
}

function buildTurn(team: string, ts: string, acceptedAt: number): Turn {
  const question: Question = {
    asker: { team, user: ASKER },
    workspace: team,
    channel: CHANNEL,
    origin: 'message',
    audience: 'channel',
    threadTs: ts,
    messageTs: ts,
    startsThread: true,
    text: '',
    webSearch: true,
    links: [],
    unusable: [],
  };
  return {
    schema: 1,
    id: `message:${team}:${CHANNEL}:${ts}`,
    lane: toThreadKey({ team, channel: CHANNEL, threadTs: ts }),
    question,
    stage: 'accepted',
    acceptedAt,
    fence: 0,
    failures: 0,
    parts: [{ step: 'placed', channel: CHANNEL, threadTs: ts, ts }],
  };
}
