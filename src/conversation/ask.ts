import type { AskCall } from '../assistant/assistant-client.ts';
import type { AssistantAnswer } from '../assistant/read-answer.ts';
import { codeOf } from '../errors.ts';
import { toPersonKey } from './question.ts';
import type { QuotedText } from './quoting.ts';
import type { Run } from './run.ts';
import { mayAskIn, SECRECY, type Secrecy, withSecrecy } from './secrecy.ts';
import type { ThreadConversation } from './turn.ts';

/**
 * What is sent to the service besides the question. `held`: the conversation of this thread and asker, if there is one.
 * `secrecy`: of what is sent, and of the answer.
 */
export type AskContext = {
  accessToken: string;
  /** See Access. */
  linkedAt?: number;
  timeZone: string;
  webSearch: boolean;
  /** The text and the files to send. `known`: as in Quoting. */
  compose(known: ThreadConversation | undefined): Promise<QuotedText>;
  held: ThreadConversation | undefined;
  secrecy: Secrecy;
  /** Receives the answer while it arrives: see AskCall. */
  onProgress?: AskCall['onProgress'];
};

/** `composed`: what was sent. */
export type AskResult = { answer: AssistantAnswer; conversation: ThreadConversation; composed: QuotedText };

type NewConversation = Pick<ThreadConversation, 'heldBy' | 'contextLost'>;

/**
 * Asks the turn's question in the conversation of its thread and asker. If the service refuses that conversation, it is
 * replaced by a new one, once. Throws the errors of assistant-errors.ts.
 */
export async function ask(run: Run, context: AskContext): Promise<AskResult> {
  const { ports, signal } = run;
  const { lane, question } = run.turn;
  const user = question.asker.user;
  const person = toPersonKey(question.asker);
  const { held, secrecy, linkedAt } = context;
  const token = { current: context.accessToken };
  const usable = held && mayAskIn(held, user, secrecy) ? held : undefined;
  if (!usable) {
    // In parallel with creating the conversation: both take a while.
    const composing = context.compose(undefined);
    // This person may not use the old conversation, but may have seen parts of it.
    const contextLost = held !== undefined && held.secrecy !== SECRECY.none;
    const heldBy = held === undefined || held.secrecy === SECRECY.all ? 'thread' : 'person';
    return askIn(await create({ heldBy, contextLost }), composing);
  }
  try {
    return await askIn(usable, context.compose(usable));
  } catch (error) {
    const replacement = replacementFor(error, usable, run, linkedAt);
    if (!replacement) throw error;
    const { threadChanges } = run.turn;
    return askIn(await create(replacement), context.compose(undefined)).catch((refusal: unknown) => {
      // Refused in a new conversation too: the old one was not the reason, and stays.
      if (REFUSALS.has(codeOf(refusal))) run.note({ threadChanges });
      throw refusal;
    });
  }

  async function create({ heldBy, contextLost }: NewConversation): Promise<ThreadConversation> {
    const { id } = await withRenewal(() =>
      run.timed('serviceMs', () => ports.assistant.createConversation({ person, accessToken: token.current, signal })),
    );
    const conversation: ThreadConversation = {
      schema: 1,
      id,
      workspace: question.workspace,
      owner: user,
      linkedAt,
      heldBy,
      secrecy,
      turnCount: 0,
      contextLost,
    };
    const former = held?.heldBy === heldBy ? held.id : undefined;
    run.noteThread({ kind: 'keep', thread: lane, conversation, former });
    return conversation;
  }

  async function askIn(chosen: ThreadConversation, composing: Promise<QuotedText>): Promise<AskResult> {
    const conversation = withSecrecy(chosen, secrecy);
    // Written before the question is sent: from then on the service knows the text, even without an answer.
    if (conversation.secrecy !== chosen.secrecy) run.noteThread({ kind: 'update', thread: lane, conversation });
    const composed = await composing;
    await run.save({ stage: 'asking' });
    try {
      return { answer: await send(conversation, composed), conversation, composed };
    } catch (error) {
      const isAlone = composed.text === composed.own;
      if (codeOf(error) !== 'question_too_long' || isAlone) throw error;
      // The service processed nothing: ask again without the quotes, which it does not know then.
      const alone = { ...composed, text: composed.own, readUpTo: undefined, details: {}, notes: { isTooLong: true } };
      return { answer: await send(conversation, alone), conversation, composed: alone };
    }
  }

  function send(conversation: ThreadConversation, { text, files }: QuotedText): Promise<AssistantAnswer> {
    return withRenewal(() => {
      run.mustBeHeld();
      const begunAt = performance.now();
      const call: AskCall = {
        person,
        accessToken: token.current,
        conversationId: conversation.id,
        reused: conversation.id === usable?.id,
        text,
        timeZone: context.timeZone,
        webSearch: context.webSearch,
        files,
        onBegin() {
          run.times.firstByteMs = Math.round(performance.now() - begunAt);
        },
        onProgress: context.onProgress,
        signal,
      };
      return run.timed('serviceMs', () => ports.assistant.ask(call));
    });
  }

  /** On 401 nothing was processed: renew the token and try again, once. */
  async function withRenewal<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      if (codeOf(error) !== 'assistant_unauthorized') throw error;
      token.current = await ports.renewToken(question.asker, token.current);
      return request();
    }
  }
}

/** The service refused the question or the account, and processed nothing. */
const REFUSALS = new Set(['assistant_forbidden', 'assistant_rejected', 'assistant_misconfigured', 'question_too_long']);

/** How to replace a refused conversation. Undefined: it is not replaced. */
function replacementFor(
  error: unknown,
  held: ThreadConversation,
  run: Run,
  linkedAt: number | undefined,
): NewConversation | undefined {
  const code = codeOf(error);
  const isOwner = held.owner === run.turn.question.asker.user;
  // Somebody else's, or its owner has signed in again since: with another account, that is somebody else.
  const isForeign = code === 'assistant_forbidden' && (!isOwner || held.linkedAt !== linkedAt);
  // Busy: the turn waits once (see explain.ts). If it is busy again, a new conversation replaces it.
  const isBusyAgain = code === 'conversation_busy' && run.turn.waitingFor === code;
  if (!isForeign && !isBusyAgain && code !== 'conversation_gone') return undefined;
  // Whom the service does not let into somebody else's conversation loses nothing.
  return { heldBy: isOwner ? held.heldBy : 'person', contextLost: isOwner || isBusyAgain };
}
