import { TransientError } from '../errors.ts';
import { codeOf } from './ask.ts';
import { type PartKey, type Reply, type ReplyMessage, WAIT_LINE } from './reply.ts';
import { FIND_AFTER_MS, resumePart } from './resume-turn.ts';
import { backoffMs, FenceLostError, type Run } from './run.ts';
import type { ReplyPart, Turn } from './turn.ts';
import type { TurnEvent } from './turn-event.ts';
import type { TurnStore } from './turn-store.ts';

const REMOVE_ATTEMPTS = 5;

export type PartPorts = {
  turns: Pick<TurnStore, 'get'>;
  reply: Reply;
  /** Whether the lane is still this run's. */
  isHeld(): boolean;
  tell(event: TurnEvent): void;
  now(): number;
};

/** Returns the ts of the message, which afterwards exists and says what it should. */
export async function placePart(run: Run, index: number, message: ReplyMessage, ports: PartPorts): Promise<string> {
  const part = partAt(run.turn, index) ?? { step: 'none', channel: message.channel, threadTs: message.threadTs };
  const key = { workspace: run.turn.question.workspace, turnId: run.turn.id, part: index };
  const ts = await locate(part, key, ports);
  const isSaid = part.says !== undefined && part.says === toResult(run.turn);
  if (ts && (message.isFixed || isSaid || (await ports.reply.edit(message, ts, key)) === 'edited')) {
    return notePlaced(run, index, part, ts);
  }
  const created = await create(run, message, key, ports);
  if (part.step === 'placing') await removeLatecomer(created, part, key, ports);
  return created;
}

/** The ts of a part that exists, or is found to; undefined: it does not. Of several one is left. */
export async function locate(
  part: ReplyPart,
  key: PartKey,
  { reply, now }: Pick<PartPorts, 'reply' | 'now'>,
): Promise<string | undefined> {
  const step = resumePart(part, now());
  if (step === 'wait') throw inDoubt(untilFindable(part, now()));
  if (step !== 'find') return part.ts;
  const [first, ...twins] = await reply.find(part, key);
  for (const twin of twins) await reply.remove(part.channel, twin, key.workspace);
  return first;
}

/**
 * Whoever began to create this part and was not found to have done it may only be slow; and where it is killed right
 * after, it takes its own message away no more. So after a moment we look once again.
 */
async function removeLatecomer(created: string, part: ReplyPart, key: PartKey, ports: PartPorts): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, FIND_AFTER_MS));
  try {
    for (const ts of await ports.reply.find(part, key)) {
      if (ts === created) continue;
      await ports.reply.remove(part.channel, ts, key.workspace);
      ports.tell({ kind: 'stray_removed' });
    }
  } catch (error) {
    // The answer is there; for the sake of a message that most probably is not, nobody shall wait.
    if (!(error instanceof TransientError)) throw error;
  }
}

async function create(run: Run, message: ReplyMessage, key: PartKey, ports: PartPorts): Promise<string> {
  const { channel, threadTs } = message;
  const { messageTs: since } = run.turn.question;
  const part: ReplyPart = { step: 'placing', channel, threadTs, placingAt: ports.now(), since };
  await run.save(withPart(run.turn, key.part, part));
  // As with the question: a process that was frozen until now must not say anything any more.
  if (!ports.isHeld()) throw new FenceLostError(run.turn.id);
  try {
    const ts = await ports.reply.create(message, key);
    return notePlaced(run, key.part, part, ts);
  } catch (error) {
    // It may exist: it stays `placing`, and the next run looks for it.
    if (codeOf(error) === 'outcome_unknown') throw inDoubt(FIND_AFTER_MS, error);
    const isUntouched = error instanceof TransientError || codeOf(error) === 'cannot_post';
    if (isUntouched) run.note(withPart(run.turn, key.part, { ...part, step: 'none' }));
    throw error;
  }
}

/** Of another process whose clock is ahead, the attempt lies in our future. */
function untilFindable({ placingAt = 0 }: ReplyPart, now: number): number {
  return Math.min(placingAt + FIND_AFTER_MS - now, FIND_AFTER_MS);
}

function inDoubt(retryAfterMs: number, cause?: unknown): TransientError {
  return new TransientError('part_in_doubt', 'a message may or may not exist', { cause, retryAfterMs });
}

/** Written with the next save: after a crash before that, the message is found again by what is written in it. */
function notePlaced(run: Run, index: number, part: ReplyPart, ts: string): string {
  run.note(withPart(run.turn, index, { ...part, step: 'placed', ts, says: toResult(run.turn) }));
  return ts;
}

/** A later run has begun while we placed messages. Those that it did not find and adopt are one too many. */
export async function removeStrays(run: Run, ports: PartPorts): Promise<void> {
  for (const [index, { ts, channel }] of allParts(run.turn)) {
    if (ts && (await isStray(run.turn.id, index, ts, ports))) {
      await removeInsistently(() => ports.reply.remove(channel, ts, run.turn.question.workspace));
      ports.tell({ kind: 'stray_removed' });
    }
  }
}

/** Nobody else would try again: the turn is somebody else's by now. */
async function removeInsistently(remove: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await remove();
    } catch (error) {
      if (!(error instanceof TransientError) || attempt === REMOVE_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, error.retryAfterMs ?? backoffMs(attempt)));
    }
  }
}

/** A store that is away for a moment is looked at again. */
function orUnknown(error: unknown): undefined {
  if (!(error instanceof TransientError)) throw error;
}

/** Looks until the later run knows where its own message is, or has ended without one. */
async function isStray(turnId: string, index: number, ts: string, ports: PartPorts): Promise<boolean> {
  for (let look = 0; look < 5; look++) {
    const turn = await ports.turns.get(turnId).catch(orUnknown);
    const theirs = turn && partAt(turn, index)?.ts;
    if (theirs) return theirs !== ts;
    if (turn?.stage === 'done') return true;
    await new Promise((resolve) => setTimeout(resolve, FIND_AFTER_MS));
  }
  return false;
}

function partAt(turn: Turn, index: number): ReplyPart | undefined {
  return index === WAIT_LINE ? turn.waitLine : turn.parts[index];
}

function withPart(turn: Turn, index: number, part: ReplyPart): Partial<Turn> {
  if (index === WAIT_LINE) return { waitLine: part };
  const parts = [...turn.parts];
  parts[index] = part;
  return { parts };
}

export function allParts({ parts, waitLine }: Turn): [number, ReplyPart][] {
  return [...parts.entries(), ...(waitLine ? [[WAIT_LINE, waitLine] as [number, ReplyPart]] : [])];
}

/** What a turn ends as, in a word: `answer`, the code of a notice, or the stage that somebody else set. */
export function toResult({ outcome, stage }: Turn): string {
  return (outcome?.kind === 'notice' ? outcome.code : outcome?.kind) ?? stage;
}
