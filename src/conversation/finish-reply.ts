import { TransientError } from '../errors.ts';
import { codeOf } from './ask.ts';
import { isWhispered, type Notice, type Outcome } from './outcome.ts';
import type { PartKey, Reply, ReplyMessage } from './reply.ts';
import { FIND_AFTER_MS, resumePart } from './resume-turn.ts';
import { backoffMs, FenceLostError, type Run } from './run.ts';
import { toThreadKey } from './thread-key.ts';
import type { ThreadStore } from './thread-store.ts';
import type { ReplyPart, Turn } from './turn.ts';
import type { TurnStore } from './turn-store.ts';

export type FinishPorts = {
  turns: Pick<TurnStore, 'get'>;
  threads: Pick<ThreadStore, 'engage'>;
  reply: Reply;
  wake(lane: string): void;
  now(): number;
};

/**
 * Makes the reply say what was decided, message by message, each in existence exactly once, and ends the turn. Where
 * Slack does not let it, the turn stays as it is and is tried again at `notBefore`.
 */
export async function finishReply(run: Run, ports: FinishPorts): Promise<void> {
  try {
    const { turn } = run;
    if (turn.outcome && isForAskerAlone(turn, turn.outcome)) {
      await ports.reply.whisper(turn, turn.outcome);
    } else await placeAll(run, ports.reply.compose(turn), ports);
    // A message in the thread takes it away by itself; a whisper, or nothing at all, does not.
    if (run.turn.parts.length === 0) void ports.reply.status(turn, false);
    await run.save(toDone(run.turn));
  } catch (error) {
    if (error instanceof FenceLostError) await removeStrays(run, ports);
    await tryLater(run, error, ports);
  }
}

/** Also what happens to a command before its question was shown: nobody else would know what it is about. */
function isForAskerAlone({ question }: Turn, outcome: Outcome): outcome is Notice {
  if (outcome.kind !== 'notice') return false;
  return !question.threadTs || (isWhispered(outcome.code) && question.audience !== 'person');
}

/**
 * A command has no message of the person's to answer: its question is shown first, as the root of a new thread. The
 * turn goes on in that thread's lane, so that nothing else runs there beside it.
 */
export async function openThread(run: Run, ports: FinishPorts): Promise<void> {
  const { turn } = run;
  const [root] = ports.reply.compose(turn);
  if (!root) throw new Error(`turn ${turn.id} has neither a thread nor a root to open one`);
  const threadTs = await placePart(run, 0, root, ports);
  const { asker, channel } = turn.question;
  const lane = toThreadKey({ team: asker.team, channel, threadTs });
  run.alongside(() => ports.threads.engage(lane, asker.user));
  await run.save({ lane, question: { ...turn.question, threadTs } });
  ports.wake(lane);
}

async function placeAll(run: Run, messages: ReplyMessage[], ports: FinishPorts): Promise<void> {
  for (const [index, message] of messages.entries()) await placePart(run, index, message, ports);
}

/** Returns the ts of the message, which afterwards exists and says what it should. */
async function placePart(run: Run, index: number, message: ReplyMessage, ports: FinishPorts): Promise<string> {
  const part = run.turn.parts[index] ?? { step: 'none', channel: message.channel, threadTs: message.threadTs };
  const step = resumePart(part, ports.now());
  if (step === 'wait') throw inDoubt();
  const key = { workspace: run.turn.question.workspace, turnId: run.turn.id, part: index };
  const ts = step === 'find' ? await ports.reply.find(part, key) : part.ts;
  if (ts && (message.isFixed || (await ports.reply.edit(message, ts, key)) === 'edited')) {
    return notePlaced(run, index, part, ts);
  }
  return create(run, message, key, ports);
}

async function create(run: Run, message: ReplyMessage, key: PartKey, ports: FinishPorts): Promise<string> {
  const { channel, threadTs } = message;
  const part: ReplyPart = { step: 'placing', channel, threadTs, placingAt: ports.now() };
  await run.save({ parts: withPart(run.turn, key.part, part) });
  try {
    const ts = await ports.reply.create(message, key);
    return notePlaced(run, key.part, part, ts);
  } catch (error) {
    // It may exist: it stays `placing`, and the next run looks for it.
    if (codeOf(error) === 'outcome_unknown') throw inDoubt(error);
    const isUntouched = error instanceof TransientError || codeOf(error) === 'cannot_post';
    if (isUntouched) run.note({ parts: withPart(run.turn, key.part, { ...part, step: 'none' }) });
    throw error;
  }
}

function inDoubt(cause?: unknown): TransientError {
  return new TransientError('part_in_doubt', 'a message may or may not exist', { cause, retryAfterMs: FIND_AFTER_MS });
}

/** Written with the next save: after a crash before that, the message is found again by what is written in it. */
function notePlaced(run: Run, index: number, part: ReplyPart, ts: string): string {
  run.note({ parts: withPart(run.turn, index, { ...part, step: 'placed', ts }) });
  return ts;
}

/** A later run has begun while we placed messages. Those that it did not find and adopt are one too many. */
async function removeStrays(run: Run, ports: FinishPorts): Promise<void> {
  for (const [index, ours] of run.turn.parts.entries()) {
    const kept = ours.ts ? await partOfLaterRun(run, index, ports) : undefined;
    if (ours.ts && kept && kept.ts !== ours.ts)
      await ports.reply.remove(ours.channel, ours.ts, run.turn.question.workspace);
  }
}

async function partOfLaterRun(run: Run, index: number, ports: FinishPorts): Promise<ReplyPart | undefined> {
  for (let look = 0; look < 5; look++) {
    const part = (await ports.turns.get(run.turn.id))?.parts[index];
    if (part?.ts) return part;
    await new Promise((resolve) => setTimeout(resolve, FIND_AFTER_MS));
  }
  return undefined;
}

async function tryLater(run: Run, error: unknown, ports: FinishPorts): Promise<void> {
  if (error instanceof TransientError) {
    return run.save({ notBefore: ports.now() + (error.retryAfterMs ?? backoffMs(run.turn.fence)) });
  }
  // The place takes no message of ours, so the person hears it where we can always reach them.
  if (codeOf(error) === 'cannot_post') {
    await ports.reply.whisper(run.turn, { kind: 'notice', code: 'cannot_post' });
    return run.save(toDone(run.turn));
  }
  throw error;
}

/** The end of a turn: neither the question nor the answer is kept. */
export function toDone(turn: Turn): Partial<Turn> {
  return {
    stage: 'done',
    outcome: undefined,
    notBefore: undefined,
    result: toResult(turn.outcome) ?? turn.stage,
    question: { ...turn.question, text: '', links: [], unusable: [], shares: undefined },
  };
}

function toResult(outcome: Outcome | undefined): string | undefined {
  return outcome?.kind === 'notice' ? outcome.code : outcome?.kind;
}

function withPart(turn: Turn, index: number, part: ReplyPart): ReplyPart[] {
  const parts = [...turn.parts];
  parts[index] = part;
  return parts;
}
