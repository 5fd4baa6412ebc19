import type { AssistantClient } from '../assistant/assistant-client.ts';
import type { AssistantAnswer } from '../assistant/read-answer.ts';
import { BridgeError } from '../errors.ts';
import { toPersonKey } from './question.ts';
import { FenceLostError, type Run } from './run.ts';
import type { ThreadConversation } from './stores.ts';

export type AskPorts = {
  assistant: AssistantClient;
  /** Whether the lane is still this run's. */
  isHeld(): boolean;
  /** A new access token to replace one that the service refused. */
  renewToken(rejected: string): Promise<string>;
};

/**
 * What is sent to the service besides the question. `held`: the conversation of this thread and asker, if there is one.
 * `isPrivate`: the answer is for the asker alone, so nobody else may ever ask in the same conversation.
 */
export type AskContext = {
  accessToken: string;
  timeZone: string;
  files: string[];
  held: ThreadConversation | undefined;
  isPrivate: boolean;
};

export type Asked = { answer: AssistantAnswer; conversation: ThreadConversation; contextLost: boolean };

/**
 * Asks the turn's question in the conversation of its thread and asker. If the service refuses that conversation, it is
 * replaced by a new one, once. Throws the errors of assistant-errors.ts.
 */
export async function ask(run: Run, context: AskContext, ports: AskPorts, signal: AbortSignal): Promise<Asked> {
  const { lane, question } = run.turn;
  const user = question.asker.user;
  const person = toPersonKey(question.asker);
  const { held } = context;
  const token = { current: context.accessToken };
  const isOwn = held?.owner === user;
  const usable = isOwn || !(held?.hasPrivateAnswers || context.isPrivate) ? held : undefined;
  if (!usable) return askIn(await create(held ? 'person' : 'thread'), false);
  try {
    return await askIn(usable, false);
  } catch (error) {
    const replacement = replacementFor(error, usable, run);
    if (!replacement) throw error;
    return askIn(await create(replacement.heldBy), replacement.contextLost);
  }

  async function create(heldBy: 'thread' | 'person'): Promise<ThreadConversation> {
    const { id } = await withRenewal(() =>
      ports.assistant.createConversation({ person, accessToken: token.current, signal }),
    );
    const conversation: ThreadConversation = {
      schema: 1,
      id,
      workspace: question.workspace,
      owner: user,
      heldBy,
      hasPrivateAnswers: context.isPrivate,
      turnCount: 0,
    };
    const former = held?.heldBy === heldBy ? held.id : undefined;
    run.noteThread({ kind: 'keep', thread: lane, conversation, former });
    return conversation;
  }

  async function askIn(conversation: ThreadConversation, contextLost: boolean): Promise<Asked> {
    // Before the question is sent: the conversation has the answer even if the response is lost.
    if (context.isPrivate && !conversation.hasPrivateAnswers) {
      run.noteThread({ kind: 'update', thread: lane, conversation: { ...conversation, hasPrivateAnswers: true } });
    }
    await run.save({ stage: 'asking' });
    const answer = await withRenewal(() => {
      // Nothing lies between this and the request: a process that was frozen until now must not ask any more.
      if (!ports.isHeld()) throw new FenceLostError(run.turn.id);
      return ports.assistant.ask({
        person,
        accessToken: token.current,
        conversationId: conversation.id,
        reused: conversation === usable,
        text: question.text,
        timeZone: context.timeZone,
        webSearch: question.webSearch,
        files: context.files,
        signal,
      });
    });
    return { answer, conversation, contextLost };
  }

  /** On 401 nothing was processed: renew the token and try again, once. */
  async function withRenewal<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      if (codeOf(error) !== 'assistant_unauthorized') throw error;
      token.current = await ports.renewToken(token.current);
      return request();
    }
  }
}

/** What replaces a refused conversation; undefined if nothing does. */
function replacementFor(
  error: unknown,
  held: ThreadConversation,
  run: Run,
): { heldBy: 'thread' | 'person'; contextLost: boolean } | undefined {
  const code = codeOf(error);
  const isOwner = held.owner === run.turn.question.asker.user;
  // The conversation is somebody else's and the service does not let this person in: create their own.
  if (!isOwner && (code === 'assistant_forbidden' || code === 'conversation_gone')) {
    return { heldBy: 'person', contextLost: false };
  }
  if (code === 'conversation_gone') return { heldBy: held.heldBy, contextLost: true };
  // Busy: the turn waits once (see run-turn.ts); the second time a new conversation replaces it.
  if (code === 'conversation_busy' && run.turn.waitingFor === code) {
    return { heldBy: isOwner ? held.heldBy : 'person', contextLost: true };
  }
  return undefined;
}

export function codeOf(error: unknown): string {
  return error instanceof BridgeError ? error.code : '';
}
