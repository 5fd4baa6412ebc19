import { codeOf, TransientError } from '../errors.ts';
import { retry } from '../retry.ts';
import { type PartKey, type ReplyMessage, WAIT_LINE } from './reply.ts';
import { FIND_AFTER_MS, resumePart } from './resume-turn.ts';
import { backoffMs, type Run } from './run.ts';
import type { ReplyPart, Turn } from './turn.ts';

/** Posts or edits one message of the reply. Returns its ts. */
export async function placePart(run: Run, index: number, message: ReplyMessage): Promise<string> {
  const { part, ts, isEdited } = await editPart(run, index, message);
  if (ts && isEdited) return ts;
  const created = await create(run, message, index, part);
  // It may still be there: Slack does not let us edit every message.
  if (ts && !message.isAddition) await removeAsOwner(run, [ts], part.channel);
  if (part.step === 'placing') await removeLatecomer(run, created, part, index);
  return created;
}

type EditedPart = { part: ReplyPart; ts: string | undefined; isEdited: boolean };

/** Edits one message of the reply. Not `isEdited`: it is not there, or Slack does not let us edit it. */
export async function editPart(run: Run, index: number, message: ReplyMessage): Promise<EditedPart> {
  const known = partAt(run.turn, index);
  const isMoved = known !== undefined && known.channel !== message.channel;
  if (isMoved) await leaveChannel(run, known, index);
  const isNew = known === undefined || isMoved;
  const begun: ReplyPart = isNew ? { step: 'none', channel: message.channel, threadTs: message.threadTs } : known;
  const ts = await locate(run, begun, index);
  const part = ts ? await endStream(run, begun, ts, index) : begun;
  const isSaid = part.says !== undefined && part.says === toSaying(run.turn);
  const isEdited = ts !== undefined && (message.isFixed || isSaid || (await edit(run, message, ts, index)));
  if (isEdited) notePlaced(run, index, part, ts);
  return { part, ts, isEdited };
}

/** Ends a part's stream: Slack refuses to change a message that still streams. Returns the changed part. */
export async function endStream(run: Run, part: ReplyPart, ts: string, index: number): Promise<ReplyPart> {
  if (part.stream !== 'open') return part;
  // Save the outcome first: from here on the reply can be finished without the stream.
  await run.save();
  run.mustBeHeld();
  await run.ports.reply.endStream(run.turn, part, ts, keyOf(run, index));
  const ended: ReplyPart = { ...part, step: 'placed', ts, stream: 'ended' };
  run.note(withPart(run.turn, index, ended));
  return ended;
}

/** Removes a part that was started in another channel. */
async function leaveChannel(run: Run, part: ReplyPart, index: number): Promise<void> {
  const ts = await locate(run, part, index);
  if (ts) await removeAsOwner(run, [ts], part.channel);
}

/** The ts of a part's message; undefined: there is none. If in doubt, searches Slack and removes duplicates. */
export async function locate(run: Run, part: ReplyPart, index: number): Promise<string | undefined> {
  const now = run.ports.now();
  const step = resumePart(part, now);
  if (step === 'wait') {
    // An attempt by a process whose clock is ahead lies in our future: count from now instead.
    const placingAt = Math.min(part.placingAt ?? 0, now);
    run.note(withPart(run.turn, index, { ...part, placingAt }));
    throw inDoubt(placingAt + FIND_AFTER_MS - now);
  }
  if (step !== 'find') return part.ts;
  const [first, ...twins] = await findPart(run, part, index);
  await removeAsOwner(run, twins, part.channel);
  return first;
}

/**
 * Removes messages of this turn. The save checks the fence first: otherwise, a run that was paused while another one
 * finished the turn would take that run's answer for a duplicate.
 */
export async function removeAsOwner(run: Run, messages: string[], channel: string): Promise<void> {
  if (messages.length > 0) await run.save();
  for (const ts of messages) await remove(run, ts, channel);
}

/**
 * Removes messages of a run that a later one has replaced, except those that the later run adopted. If some cannot be
 * removed, throws the first error after trying all.
 */
export async function removeStrays(run: Run): Promise<void> {
  const failures: unknown[] = [];
  for (const [index, { ts, channel }] of allParts(run.turn)) {
    try {
      if (!ts || !(await isStray(run, index, ts))) continue;
      await removeInsistently(() => remove(run, ts, channel));
      run.ports.tell({ kind: 'stray_removed' });
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

function remove({ turn, ports }: Run, ts: string, channel: string): Promise<void> {
  return ports.reply.remove(channel, ts, turn.question.workspace, turn.language);
}

export function allParts({ parts, waitLine }: Turn): [number, ReplyPart][] {
  return [...parts.entries(), ...(waitLine ? [[WAIT_LINE, waitLine] as [number, ReplyPart]] : [])];
}

function keyOf({ turn }: Run, part: number): PartKey {
  return { workspace: turn.question.workspace, turnId: turn.id, part };
}

function findPart(run: Run, part: ReplyPart, index: number): Promise<string[]> {
  const others = allParts(run.turn).flatMap(([other, { ts }]) => (other !== index && ts ? [ts] : []));
  return run.ports.reply.find(part, keyOf(run, index), others);
}

/** How a turn ends: `answer`, `shared`, the code of a notice, or the stage that a stop set. */
export function toResult({ outcome, stage }: Turn): string {
  return (outcome?.kind === 'notice' ? outcome.code : outcome?.kind) ?? stage;
}

/** False: the message is gone. */
async function edit(run: Run, message: ReplyMessage, ts: string, index: number): Promise<boolean> {
  run.mustBeHeld();
  return (await run.ports.reply.edit(message, ts, keyOf(run, index))) === 'edited';
}

/**
 * An earlier attempt at this part may still be in flight and post after our search. If its process is killed, nobody
 * else removes the duplicate. So search once more after a moment.
 */
async function removeLatecomer(run: Run, created: string, part: ReplyPart, index: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, FIND_AFTER_MS));
  try {
    const found = await retry(
      () => findPart(run, part, index),
      (error, failures) => (error instanceof TransientError && failures <= FIND_ATTEMPTS ? FIND_AFTER_MS : undefined),
    );
    const latecomers = found.filter((ts) => ts !== created);
    await removeAsOwner(run, latecomers, part.channel);
    for (const _ of latecomers) run.ports.tell({ kind: 'stray_removed' });
  } catch (error) {
    // The answer is posted. A duplicate is unlikely by now, and not worth holding up the thread any longer.
    if (!(error instanceof TransientError)) throw error;
  }
}

/** How often to retry if Slack does not answer. */
const FIND_ATTEMPTS = 3;

/** `before`: the part as it was. If it was already in doubt, it stays in doubt even if this attempt is refused. */
async function create(run: Run, message: ReplyMessage, index: number, before: ReplyPart): Promise<string> {
  const { channel, threadTs } = message;
  const { messageTs: since } = run.turn.question;
  const part: ReplyPart = { step: 'placing', channel, threadTs, placingAt: run.ports.now(), since };
  await run.save(withPart(run.turn, index, part));
  run.mustBeHeld();
  try {
    const ts = await run.ports.reply.create(message, keyOf(run, index));
    return notePlaced(run, index, part, ts);
  } catch (error) {
    // The message may exist: the part stays `placing`, and the next run searches for it.
    if (codeOf(error) === 'outcome_unknown') throw inDoubt(FIND_AFTER_MS, error);
    const isUntouched = error instanceof TransientError || UNTOUCHED.has(codeOf(error));
    const untouched: ReplyPart = before.step === 'placing' ? before : { ...part, step: 'none' };
    if (isUntouched) run.note(withPart(run.turn, index, untouched));
    throw error;
  }
}

function inDoubt(retryAfterMs: number, cause?: unknown): TransientError {
  return new TransientError('part_in_doubt', 'a message may or may not exist', { cause, retryAfterMs });
}

/** Saved with the next save. After a crash before that, the message is found by the metadata written into it. */
function notePlaced(run: Run, index: number, part: ReplyPart, ts: string): string {
  run.note(withPart(run.turn, index, { ...part, step: 'placed', ts, says: toSaying(run.turn) }));
  return ts;
}

function partAt(turn: Turn, index: number): ReplyPart | undefined {
  return index === WAIT_LINE ? turn.waitLine : turn.parts[index];
}

export function withPart(turn: Turn, index: number, part: ReplyPart): Partial<Turn> {
  if (index === WAIT_LINE) return { waitLine: part };
  const parts = [...turn.parts];
  parts[index] = part;
  return { parts };
}

/** Refusals, after which nothing was posted. */
const UNTOUCHED = new Set(['cannot_post', 'form_refused']);

/** Identifies the content of the turn's messages: the result and the form. */
function toSaying(turn: Turn): string {
  return turn.form ? `${toResult(turn)} ${turn.form}` : toResult(turn);
}

const REMOVE_ATTEMPTS = 5;

const MAX_CHECKS = 5;

/** Whether a message of this run is a duplicate. Waits until the later run has stored its own ts, or has ended. */
async function isStray({ turn: { id, fence }, ports }: Run, index: number, ts: string): Promise<boolean> {
  for (let check = 0; check < MAX_CHECKS; check++) {
    const turn = await ports.turns.get(id).catch(orUnknown);
    // The turn was stopped: its next run begins after this one, and finds the message.
    if (turn?.fence === fence + 1 && (turn.stage === 'stopped' || turn.stage === 'cancelled')) return false;
    const theirs = turn && partAt(turn, index)?.ts;
    if (theirs) return theirs !== ts;
    if (turn?.stage === 'done') return true;
    await new Promise((resolve) => setTimeout(resolve, FIND_AFTER_MS));
  }
  return false;
}

/** If the store is unavailable, the next check asks again. */
function orUnknown(error: unknown): undefined {
  if (!(error instanceof TransientError)) throw error;
}

/** Retries here, because no later run of this turn would. */
function removeInsistently(remove: () => Promise<void>): Promise<void> {
  return retry(remove, (error, failures) => {
    if (!(error instanceof TransientError) || failures === REMOVE_ATTEMPTS) return undefined;
    return error.retryAfterMs || backoffMs(failures);
  });
}
