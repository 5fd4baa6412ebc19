import { type Answer, isWhispered, type Outcome } from './outcome.ts';
import type { Run } from './run.ts';
import { SECRECY, withSecrecy } from './secrecy.ts';
import type { Turn } from './turn.ts';

/**
 * Where an answer goes: the thread, or the asker's direct message channel. `privateBecause`: set only if the readers of
 * the channel make the answer private.
 */
export type AnswerPlace = Pick<Answer, 'privateChannel' | 'privateBecause' | 'isPrescribed' | 'isFromPrivate'>;

/** `isPrivate`: the asker chose a private answer. `isPrescribed`: a rule of the channel requires one. */
export async function chooseAnswerPlace(
  run: Run,
  { isPrivate, isPrescribed }: { isPrivate: boolean; isPrescribed: boolean },
): Promise<AnswerPlace> {
  const { turn, ports } = run;
  const { question } = turn;
  if (question.audience === 'person') return {};
  if (isPrivate) return { privateChannel: await ports.privateChannel(question) };
  if (isPrescribed) return { privateChannel: await ports.privateChannel(question), isPrescribed };
  const privateBecause = await readReason(run);
  return privateBecause ? { privateChannel: await ports.privateChannel(question), privateBecause } : {};
}

/** Makes the answer private: it may repeat quoted messages that not everybody in the thread may read. */
export async function keepFromThread({ turn, ports }: Run, place: AnswerPlace): Promise<AnswerPlace> {
  const { question } = turn;
  const { privateChannel, privateBecause } = place;
  if (question.audience === 'person' || (privateChannel && !privateBecause)) return place;
  return { privateChannel: privateChannel ?? (await ports.privateChannel(question)), isFromPrivate: true };
}

/**
 * Checks again, right before the reply is posted, who reads the channel, and moves the answer if needed. placePart
 * removes the parts that are already posted elsewhere.
 */
export async function reconsiderPlace(run: Run): Promise<void> {
  const { outcome, question } = run.turn;
  if (question.audience === 'person' || !isMade(outcome)) return;
  if (outcome.kind === 'notice') {
    if (await readReason(run)) await run.save({ outcome: { ...outcome, detail: undefined } });
    return;
  }
  const { privateChannel, privateBecause } = outcome;
  // Private already: the asker chose it, a rule requires it, or the quotes do.
  if (privateChannel && !privateBecause) return;
  const reason = await readReason(run);
  if (reason === privateBecause) return;
  // An answer that is posted privately stays private, even if the thread may see it by now.
  if (!reason && isBegun(run.turn)) return;
  // The readers are also unknown after an uninstall. The turn is then deleted, and the save throws FenceLostError.
  await run.save();
  const place = reason && { privateChannel: privateChannel ?? (await run.ports.privateChannel(question)) };
  if (place && !privateChannel) await keepConversationPrivate(run);
  await run.save({ outcome: { ...outcome, privateChannel: undefined, ...place, privateBecause: reason } });
}

/** Outcomes with text that the service wrote with the asker's permissions. A shared answer is not moved. */
function isMade(outcome: Outcome | undefined): outcome is Exclude<Outcome, { kind: 'shared' }> {
  if (outcome?.kind === 'notice') return outcome.detail !== undefined && !isWhispered(outcome.code);
  return outcome?.kind === 'answer';
}

async function readReason({ turn, ports }: Run): Promise<AnswerPlace['privateBecause']> {
  const audience = await ports.audience(turn.question);
  return audience === 'members' ? undefined : audience;
}

/** Whether a part of the answer may be posted already. A slash command's first part is its question, not the answer. */
function isBegun({ parts, question }: Turn): boolean {
  return parts.slice(question.messageTs ? 0 : 1).some(({ step }) => step !== 'none');
}

/**
 * Others in the thread do not see this answer, so they must not continue its conversation. If the asker owns the
 * conversation, only the asker may continue it. Otherwise nobody may: the owner does not see the answer either.
 */
async function keepConversationPrivate(run: Run): Promise<void> {
  const { lane, question } = run.turn;
  const conversation = await run.ports.threads.conversation(lane, question.asker.user);
  if (!conversation) return;
  const secrecy = conversation.owner === question.asker.user ? SECRECY.others : SECRECY.all;
  run.noteThread({ kind: 'update', thread: lane, conversation: withSecrecy(conversation, secrecy) });
}
