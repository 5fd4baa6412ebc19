import { TransientError } from '../errors.ts';
import { type AnswerPlace, chooseAnswerPlace, keepFromThread } from './answer-place.ts';
import { type AskContext, type AskResult, ask } from './ask.ts';
import type { QuestionRules } from './channel-settings.ts';
import { fileUses } from './file-uses.ts';
import type { Answer, Outcome } from './outcome.ts';
import { laterOf } from './quoting.ts';
import type { Access, Run } from './run.ts';
import { higherOf, SECRECY, secrecyFor } from './secrecy.ts';
import { streamAnswer } from './stream-answer.ts';

/** The asker's token, the conversation to ask in, if there is one, and the rules. */
type Approach = Access & Pick<AskContext, 'held'> & { rules: QuestionRules };

/**
 * Asks with the asker's rights, under the rules of the place, and returns what the reply will say. Throws the errors of
 * assistant-errors.ts.
 */
export async function askService(run: Run, approach: Approach): Promise<Outcome> {
  const { ports } = run;
  const { question } = run.turn;
  const { rules, held } = approach;
  const [timeZone, chosen, quoting] = await run.timed('slackMs', () =>
    Promise.all([
      ports.timeZone(question),
      chooseAnswerPlace(run, { ...approach, isPrescribed: rules.isPrivate }),
      ports.quote(question, run.turn.language ?? 'en'),
    ]),
  );
  const known = higherOf(quoting.secrecy, secrecyFor(question.asker.user, held));
  const place = known === SECRECY.thread ? await keepFromThread(run, chosen) : chosen;
  throwIfPaused(ports.assistantPausedMs(question.asker));
  const webSearch = question.webSearch && !rules.isWebOff;
  const isPrivate = place.privateChannel !== undefined;
  run.note({ isPrivate });
  const secrecy = higherOf(known, isPrivate ? SECRECY.others : SECRECY.none);
  const compose: AskContext['compose'] = async (known) => {
    const quoted = await quoting.compose(known);
    const { used: files, unusable } = fileUses([...question.links, ...quoted.links], quoted.unusable, ports.fileRules);
    return { ...quoted, files, unusable };
  };
  const stream = streamAnswer(run);
  const context = { ...approach, secrecy, timeZone, webSearch, compose, onProgress: stream?.grow };
  // Not awaited: it must not delay the question.
  if (ports.isHeld()) ports.reply.startWorking(run.turn);
  // Their profile was read to admit them, and may be forgotten before the answer is there.
  const askerName = question.audience === 'channel' ? ports.askerName(question) : undefined;
  const asked = await ask(run, context).finally(() => stream?.close());
  return noteAnswer(run, asked, context, { ...place, askerName });
}

/** Makes the turn wait while the circuit is open. Jitter avoids a thundering herd. */
function throwIfPaused(pausedMs: number): void {
  const retryAfterMs = Math.ceil(pausedMs * (1 + Math.random() / 4));
  if (pausedMs > 0) throw new TransientError('assistant_unreachable', 'the circuit is open', { retryAfterMs });
}

/** Returns the outcome and notes the thread's changes. One write saves both, so a crash cannot separate them. */
function noteAnswer(
  run: Run,
  asked: AskResult,
  context: AskContext,
  place: AnswerPlace & Pick<Answer, 'askerName'>,
): Outcome {
  const { lane, question } = run.turn;
  const { answer, conversation, composed } = asked;
  if (answer.disengaged) {
    run.noteThread({ kind: 'drop', thread: lane, conversation });
    const notice = { kind: 'notice', code: 'disengaged' } as const;
    return place.privateChannel === undefined ? { ...notice, detail: answer.text } : notice;
  }
  if (!answer.text) return { kind: 'notice', code: 'empty' };
  const { requestId, turnCount = conversation.turnCount } = answer;
  const readUpTo = laterOf(conversation.readUpTo, composed.readUpTo);
  const answered = { ...conversation, turnCount, readUpTo, contextLost: undefined };
  run.noteThread({ kind: 'update', thread: lane, conversation: answered });
  const { timeZone, webSearch } = context;
  const byRule = question.webSearch && !webSearch ? { isWebOffByRule: true } : {};
  const details = { timeZone, ...composed.details, ...byRule, ...(requestId !== undefined && { requestId }) };
  run.note({ details, conversation: conversation.id });
  const { isAskedAgain, isFollowed = false } = question;
  const again = isAskedAgain && { again: { question: composed.own, isFollowed } };
  return { ...toAnswer(asked), webSearch, ...byRule, ...place, ...again };
}

function toAnswer({ answer, composed, conversation }: AskResult): Omit<Answer, 'webSearch'> {
  const { text, sources, partial, sensitivity } = answer;
  const { contextLost = false } = conversation;
  const files = { used: composed.files, unusable: composed.unusable };
  const isToldAgain = contextLost && (composed.details.quotes?.messages ?? 0) > 0;
  const notes = isToldAgain ? { ...composed.notes, isToldAgain } : composed.notes;
  const quoted = notes && { quoted: notes };
  return { kind: 'answer', text, sources, partial, contextLost, files, ...quoted, sensitivity };
}
