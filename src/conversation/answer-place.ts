import { type Answer, isWhispered, type Outcome } from './outcome.ts';
import type { Question } from './question.ts';
import type { Run } from './run.ts';
import { SECRECY, withSecrecy } from './secrecy.ts';
import type { ThreadStore } from './stores.ts';
import type { Turn } from './turn.ts';

/** Who reads the channel of a question: only members of the organisation, guests too, or unknown. */
export type Audience = 'members' | 'guests' | 'unknown';

/**
 * Where an answer goes: the thread, or the asker's direct message channel. `privateBecause`: set only if the readers of
 * the channel make the answer private.
 */
export type AnswerPlace = Pick<Answer, 'privateChannel' | 'privateBecause' | 'isPrescribed' | 'isFromPrivate'>;

export type PlacePorts = {
  /** Who reads the channel of the question. Never fails. */
  audience(question: Question): Promise<Audience>;
  /** The asker's direct message channel. */
  privateChannel(question: Question): Promise<string>;
  threads: Pick<ThreadStore, 'conversation'>;
};

/** `isPrivate`: the asker chose a private answer. `isPrescribed`: a rule of the channel requires one. */
export async function chooseAnswerPlace(
  question: Question,
  { isPrivate, isPrescribed = false }: { isPrivate: boolean; isPrescribed?: boolean },
  ports: PlacePorts,
): Promise<AnswerPlace> {
  if (question.audience === 'person') return {};
  if (isPrivate) return { privateChannel: await ports.privateChannel(question) };
  if (isPrescribed) return { privateChannel: await ports.privateChannel(question), isPrescribed };
  const privateBecause = await readReason(question, ports);
  return privateBecause ? { privateChannel: await ports.privateChannel(question), privateBecause } : {};
}

/** Makes the answer private: it may repeat quoted messages that not everybody in the thread may read. */
export async function keepFromThread(
  place: AnswerPlace,
  question: Question,
  ports: Pick<PlacePorts, 'privateChannel'>,
): Promise<AnswerPlace> {
  const { privateChannel, privateBecause } = place;
  if (question.audience === 'person' || (privateChannel && !privateBecause)) return place;
  return { privateChannel: privateChannel ?? (await ports.privateChannel(question)), isFromPrivate: true };
}

/**
 * Checks again, right before the reply is posted, who reads the channel, and moves the answer if needed. placePart
 * removes the parts that are already posted elsewhere.
 */
export async function reconsiderPlace(run: Run, ports: PlacePorts): Promise<void> {
  const { outcome, question } = run.turn;
  if (question.audience === 'person' || !isMade(outcome)) return;
  if (outcome.kind === 'notice') {
    if (await readReason(question, ports)) await run.save({ outcome: { ...outcome, detail: undefined } });
    return;
  }
  const { privateChannel, privateBecause } = outcome;
  // Private already: the asker chose it, a rule requires it, or the quotes do.
  if (privateChannel && !privateBecause) return;
  const reason = await readReason(question, ports);
  if (reason === privateBecause) return;
  // An answer that is posted privately stays private, even if the thread may see it by now.
  if (!reason && isBegun(run.turn)) return;
  // The readers are also unknown after an uninstall. The turn is then deleted, and the save throws FenceLostError.
  await run.save();
  const place = reason && { privateChannel: privateChannel ?? (await ports.privateChannel(question)) };
  if (place && !privateChannel) await keepConversationPrivate(run, ports);
  await run.save({ outcome: { ...outcome, privateChannel: undefined, ...place, privateBecause: reason } });
}

/** Outcomes with text that the service wrote with the asker's permissions. A shared answer is not moved. */
function isMade(outcome: Outcome | undefined): outcome is Exclude<Outcome, { kind: 'shared' }> {
  if (outcome?.kind === 'notice') return outcome.detail !== undefined && !isWhispered(outcome.code);
  return outcome?.kind === 'answer';
}

async function readReason(question: Question, ports: PlacePorts): Promise<AnswerPlace['privateBecause']> {
  const audience = await ports.audience(question);
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
async function keepConversationPrivate(run: Run, { threads }: PlacePorts): Promise<void> {
  const { lane, question } = run.turn;
  const conversation = await threads.conversation(lane, question.asker.user);
  if (!conversation) return;
  const secrecy = conversation.owner === question.asker.user ? SECRECY.others : SECRECY.all;
  run.noteThread({ kind: 'update', thread: lane, conversation: withSecrecy(conversation, secrecy) });
}
