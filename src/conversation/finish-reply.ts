import { BridgeError, codeOf, TransientError } from '../errors.ts';
import { reconsiderPlace } from './answer-place.ts';
import { stopWorking } from './end-work.ts';
import { isWhispered, type Notice, type Outcome } from './outcome.ts';
import { toThreadKey, withoutWords } from './question.ts';
import { type ReplyMessage, WAIT_LINE } from './reply.ts';
import { allParts, editPart, endStream, locate, placePart, removeAsOwner, toResult } from './reply-parts.ts';
import { backoffMs, FenceLostError, type Run } from './run.ts';
import type { ReplyForm, Turn } from './turn.ts';

/**
 * Posts or edits the messages of the reply so that each exists exactly once and says what was decided, then ends the
 * turn. If Slack refuses, the turn is retried at `notBefore`.
 */
export async function finishReply(run: Run): Promise<void> {
  const { reply } = run.ports;
  try {
    await reconsiderPlace(run);
    const { turn } = run;
    const messages = await reply.compose(turn);
    if (turn.outcome && isForAskerAlone(turn, turn.outcome)) {
      await removeAfter(run, messages.filter(({ isFixed }) => isFixed).length);
      await stopWorking(run);
      // Last: an ephemeral message can neither be found nor edited, so nothing may fail after or beside it.
      await reply.whisper(turn, turn.outcome);
      await run.settle(toDone(run.turn));
    } else {
      if (!(await leaveStopped(run, messages))) await placeAll(run, messages);
      await stopWorking(run);
      // This save may be lost: another run would edit the same messages.
      await run.settle(toDone(run.turn), true);
    }
  } catch (error) {
    const form = toSimplerForm(run.turn, error);
    if (!form) return tryLater(run, error);
    // Save the new form first. Messages posted in the old form are then edited or removed.
    await run.save({ form });
    await finishReply(run);
  }
}

/**
 * A slash command has no message to reply to: its question is posted first, as the root of a new thread. The turn goes
 * on in that thread's lane, so that no other turn of the thread runs at the same time.
 */
export async function openThread(run: Run): Promise<void> {
  const { turn, ports } = run;
  const [root] = await ports.reply.compose(turn);
  if (!root) throw new Error(`turn ${turn.id} has neither a thread nor a root to open one`);
  const threadTs = await placePart(run, 0, root);
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
export async function showWaiting(run: Run): Promise<void> {
  const { question, waitLine } = run.turn;
  if (waitLine || !question.threadTs) return;
  try {
    await placePart(run, WAIT_LINE, run.ports.reply.composeWaiting(run.turn));
    await run.settle();
  } catch (error) {
    if (error instanceof FenceLostError || !(error instanceof BridgeError)) throw error;
  }
}

/** Removes the line that says that the question waits. */
export async function removeWaitLine(run: Run): Promise<void> {
  if (run.turn.waitLine) await removeAfter(run, run.turn.parts.length);
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

async function placeAll(run: Run, messages: ReplyMessage[]): Promise<void> {
  const streamed = streamedParts(run.turn);
  // A stream and the reply are split at different places. Edit the last part first, so that no text shows twice.
  if (streamed.length > 0) await removeAfter(run, messages.length);
  for (const index of streamed.toReversed()) {
    const message = messages[index];
    if (message && !(await editPart(run, index, message)).isEdited) break;
  }
  // In order: where nothing may be edited, all are made anew. What was edited says this already.
  for (const [index, message] of messages.entries()) await placePart(run, index, message);
  if (streamed.length === 0) await removeAfter(run, messages.length);
}

/**
 * When somebody stops an answer, the text shown so far stays, with *Stopped* below it. False: nothing was shown yet, or
 * the answer was complete before the stop.
 */
async function leaveStopped(run: Run, messages: ReplyMessage[]): Promise<boolean> {
  const { turn } = run;
  const last = streamedParts(turn).at(-1);
  const message = messages.at(-1);
  if (turn.stage !== 'stopped' || turn.outcome || turn.form === 'plain' || last === undefined || !message) return false;
  await placePart(run, last, { ...message, isAddition: true });
  await removeAfter(run, last + 1);
  return true;
}

function streamedParts({ parts }: Turn): number[] {
  return [...parts.entries()].flatMap(([index, { stream }]) => (stream ? [index] : []));
}

/** Removes outdated messages: the waiting line, and parts of an earlier attempt beyond `count`. */
async function removeAfter(run: Run, count: number): Promise<void> {
  for (const [index, part] of allParts(run.turn)) {
    if (index !== WAIT_LINE && index < count) continue;
    const ts = await locate(run, part, index);
    if (!ts) continue;
    await endStream(run, part, ts, index);
    await removeAsOwner(run, [ts], part.channel);
  }
  run.note({ parts: run.turn.parts.slice(0, count), waitLine: undefined });
}

async function tryLater(run: Run, error: unknown): Promise<void> {
  if (error instanceof TransientError) {
    return run.pause(error.retryAfterMs || backoffMs(run.turn.fence));
  }
  if (codeOf(error) !== 'cannot_post') throw error;
  try {
    await stopWorking(run);
    // The channel takes no message from us: tell the person privately.
    await run.ports.reply.whisper(run.turn, { kind: 'notice', code: 'cannot_post' });
  } catch (refusal) {
    if (codeOf(refusal) === 'cannot_post') throw refusal;
    return tryLater(run, refusal);
  }
  await run.settle(toDone(run.turn));
}
