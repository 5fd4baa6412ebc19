import { BridgeError, codeOf, TransientError } from '../errors.ts';
import { type PlacePorts, reconsiderPlace } from './answer-place.ts';
import { stopWorking } from './end-work.ts';
import { isWhispered, type Notice, type Outcome } from './outcome.ts';
import { toThreadKey, withoutWords } from './question.ts';
import { type ReplyMessage, WAIT_LINE } from './reply.ts';
import {
  allParts,
  editPart,
  endStream,
  locate,
  type PartPorts,
  placePart,
  removeAsOwner,
  toResult,
} from './reply-parts.ts';
import { backoffMs, FenceLostError, type Run } from './run.ts';
import type { TurnStore } from './stores.ts';
import type { ReplyForm, Turn } from './turn.ts';

export type FinishPorts = Omit<PartPorts, 'turns'> &
  PlacePorts & {
    turns: Pick<TurnStore, 'get' | 'accept' | 'head'>;
    wake(lane: string): void;
  };

/**
 * Posts or edits the messages of the reply so that each exists exactly once and says what was decided, then ends the
 * turn. If Slack refuses, the turn is retried at `notBefore`.
 */
export async function finishReply(run: Run, ports: FinishPorts): Promise<void> {
  try {
    await reconsiderPlace(run, ports);
    const { turn } = run;
    const messages = await ports.reply.compose(turn);
    if (turn.outcome && isForAskerAlone(turn, turn.outcome)) {
      await removeAfter(run, messages.filter(({ isFixed }) => isFixed).length, ports);
      await stopWorking(run, ports);
      // Last: an ephemeral message can neither be found nor edited, so nothing may fail after or beside it.
      await ports.reply.whisper(turn, turn.outcome);
      await run.settle(toDone(run.turn));
    } else {
      if (!(await leaveStopped(run, messages, ports))) await placeAll(run, messages, ports);
      await stopWorking(run, ports);
      // This save may be lost: another run would edit the same messages.
      await run.settle(toDone(run.turn), true);
    }
  } catch (error) {
    const form = toSimplerForm(run.turn, error);
    if (!form) return tryLater(run, error, ports);
    // Save the new form first. Messages posted in the old form are then edited or removed.
    await run.save({ form });
    await finishReply(run, ports);
  }
}

/**
 * A slash command has no message to reply to: its question is posted first, as the root of a new thread. The turn goes
 * on in that thread's lane, so that no other turn of the thread runs at the same time.
 */
export async function openThread(run: Run, ports: FinishPorts): Promise<void> {
  const { turn } = run;
  const [root] = await ports.reply.compose(turn);
  if (!root) throw new Error(`turn ${turn.id} has neither a thread nor a root to open one`);
  const threadTs = await placePart(run, 0, root, ports);
  const { asker, channel } = turn.question;
  const lane = toThreadKey({ team: asker.team, channel, threadTs });
  run.noteThread({ kind: 'engage', thread: lane, user: asker.user, workspace: turn.question.workspace });
  await run.settle({ lane, question: { ...turn.question, threadTs } });
  ports.wake(lane);
}

/**
 * Tells the thread that the question waits and can be cancelled. Best effort: if it cannot be posted, the question waits
 * without it.
 */
export async function showWaiting(run: Run, ports: FinishPorts): Promise<void> {
  const { question, waitLine } = run.turn;
  if (waitLine || !question.threadTs) return;
  try {
    await placePart(run, WAIT_LINE, ports.reply.composeWaiting(run.turn), ports);
    await run.settle();
  } catch (error) {
    if (error instanceof FenceLostError || !(error instanceof BridgeError)) throw error;
  }
}

/** Removes the line that says that the question waits. */
export async function removeWaitLine(run: Run, ports: FinishPorts): Promise<void> {
  if (run.turn.waitLine) await removeAfter(run, run.turn.parts.length, ports);
}

/** What a done turn keeps: neither the question nor the answer. */
export function toDone(turn: Turn): Partial<Turn> {
  return {
    stage: 'done',
    outcome: undefined,
    notBefore: undefined,
    result: toResult(turn),
    question: withoutWords(turn.question),
  };
}

/** The next simpler form, if Slack refused the reply for its form or it took too long to render. */
function toSimplerForm({ form }: Turn, error: unknown): ReplyForm | undefined {
  const code = codeOf(error);
  if (form === 'plain' || (code !== 'form_refused' && code !== 'render_timeout')) return undefined;
  return form === undefined && code === 'form_refused' ? 'small' : 'plain';
}

/** Includes notices of a command whose question is not posted yet: others in the channel would lack the context. */
function isForAskerAlone({ question }: Turn, outcome: Outcome): outcome is Notice {
  if (outcome.kind !== 'notice') return false;
  return !question.threadTs || (isWhispered(outcome.code) && question.audience !== 'person');
}

async function placeAll(run: Run, messages: ReplyMessage[], ports: FinishPorts): Promise<void> {
  const streamed = streamedParts(run.turn);
  // A stream and the reply are split at different places. Edit the last part first, so that no text shows twice.
  if (streamed.length > 0) await removeAfter(run, messages.length, ports);
  for (const index of streamed.toReversed()) {
    const message = messages[index];
    if (message && !(await editPart(run, index, message, ports)).isEdited) break;
  }
  // In order: where nothing may be edited, all are made anew. What was edited says this already.
  for (const [index, message] of messages.entries()) await placePart(run, index, message, ports);
  if (streamed.length === 0) await removeAfter(run, messages.length, ports);
}

/**
 * When somebody stops an answer, the text shown so far stays, with *Stopped* below it. False: nothing was shown yet, or
 * the answer was complete before the stop.
 */
async function leaveStopped(run: Run, messages: ReplyMessage[], ports: FinishPorts): Promise<boolean> {
  const { turn } = run;
  const last = streamedParts(turn).at(-1);
  const message = messages.at(-1);
  if (turn.stage !== 'stopped' || turn.outcome || turn.form === 'plain' || last === undefined || !message) return false;
  await placePart(run, last, { ...message, isAddition: true }, ports);
  await removeAfter(run, last + 1, ports);
  return true;
}

function streamedParts({ parts }: Turn): number[] {
  return [...parts.entries()].flatMap(([index, { stream }]) => (stream ? [index] : []));
}

/** Removes outdated messages: the waiting line, and parts of an earlier attempt beyond `count`. */
async function removeAfter(run: Run, count: number, ports: FinishPorts): Promise<void> {
  const { workspace } = run.turn.question;
  for (const [index, part] of allParts(run.turn)) {
    if (index !== WAIT_LINE && index < count) continue;
    const key = { workspace, turnId: run.turn.id, part: index };
    const ts = await locate(run, part, key, ports);
    if (!ts) continue;
    await endStream(run, part, ts, key, ports);
    await removeAsOwner(run, [ts], part.channel, ports);
  }
  run.note({ parts: run.turn.parts.slice(0, count), waitLine: undefined });
}

async function tryLater(run: Run, error: unknown, ports: FinishPorts): Promise<void> {
  if (error instanceof TransientError) {
    return run.pause(error.retryAfterMs || backoffMs(run.turn.fence));
  }
  if (codeOf(error) !== 'cannot_post') throw error;
  try {
    await stopWorking(run, ports);
    // The channel takes no message from us: tell the person privately.
    await ports.reply.whisper(run.turn, { kind: 'notice', code: 'cannot_post' });
  } catch (refusal) {
    if (codeOf(refusal) === 'cannot_post') throw refusal;
    return tryLater(run, refusal, ports);
  }
  await run.settle(toDone(run.turn));
}
