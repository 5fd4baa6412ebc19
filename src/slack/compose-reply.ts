import type { Answer } from '../conversation/outcome.ts';
import { type Person, toPersonKey } from '../conversation/question.ts';
import type { ReplyMessage } from '../conversation/reply.ts';
import type { TurnStore } from '../conversation/stores.ts';
import type { Stage, Turn } from '../conversation/turn.ts';
import type { ClaimStore } from '../identity/account-link.ts';
import { buildAnswerMessages, buildPrivateStub, buildSharedMessages, toPlainContent } from './views/answer-message.ts';
import type { Content } from './views/content.ts';
import { buildNotice, buildRoot, buildWaiting } from './views/notice-message.ts';

/** Decides which of several questions of one person prompts them to sign in, over all replicas. */
export type SignInPrompts = {
  /** Whether this question prompts. Stays true for it, because a run may be repeated after a crash. */
  claim(turn: Turn): Promise<boolean>;
  /** Lets the next question prompt: this prompt failed, or the person has signed in or out since. */
  release(asker: Person): Promise<void>;
};

export type SignInPromptsPorts = {
  once: Pick<ClaimStore, 'claim' | 'take'>;
  turns: Pick<TurnStore, 'get'>;
  now(): number;
};

/** Questions at the same time need one prompt; a minute later the person may not find it any more. */
const CLAIM_MS = 60_000;

/** In these stages a question is about to prompt, or waits for the sign-in. */
const WAITING: readonly Stage[] = ['accepted', 'waiting', 'parked'];

/**
 * The messages of a turn's reply, as far as they are decided. Deterministic: the same turn gives the same messages. Throws
 * RenderTimeoutError, unless the form is plain.
 */
export async function composeReply(turn: Turn): Promise<ReplyMessage[]> {
  const root = turn.question.messageTs ? [] : [toRoot(turn)];
  return [...root, ...(await composeOutcome(turn))];
}

/** A message of its own: editing it into the answer would notify nobody. */
export function composeWaiting(turn: Turn): ReplyMessage {
  return inThread(turn, buildWaiting(turn));
}

export function createSignInPrompts({ once, turns, now }: SignInPromptsPorts): SignInPrompts {
  const claim = (asker: Person, id: string) => once.claim(toKey(asker), id, now() + CLAIM_MS);
  return {
    async claim({ id, question: { asker } }) {
      const holder = await claim(asker, id);
      if (holder === id) return true;
      const stage = (await turns.get(holder))?.stage;
      if (stage && WAITING.includes(stage)) return false;
      // The question that prompted was deleted or has ended.
      await once.take(toKey(asker));
      return (await claim(asker, id)) === id;
    },
    async release(asker) {
      await once.take(toKey(asker));
    },
  };
}

async function composeOutcome(turn: Turn): Promise<ReplyMessage[]> {
  const { id, outcome, question, stage, form } = turn;
  if (outcome?.kind === 'answer') return composeAnswer(turn, outcome);
  if (outcome?.kind === 'shared') {
    const contents = buildSharedMessages(question.asker.user, outcome.messages, form);
    return contents.map((content) => inThread(turn, content));
  }
  const notice = outcome ?? (stage === 'stopped' ? { kind: 'notice' as const, code: 'stopped' as const } : undefined);
  if (!notice) return [];
  const content = buildNotice(id, notice);
  return [inThread(turn, form === 'plain' ? toPlainContent(content) : content)];
}

async function composeAnswer(turn: Turn, answer: Answer): Promise<ReplyMessage[]> {
  const contents = await buildAnswerMessages(turn.id, answer, turn.form);
  const { privateChannel } = answer;
  if (!privateChannel) return contents.map((content) => inThread(turn, content));
  const stub = inThread(turn, buildPrivateStub(turn.question.asker.user));
  return [...contents.map((content) => ({ channel: privateChannel, content })), stub];
}

function toRoot(turn: Turn): ReplyMessage {
  return { channel: turn.question.channel, content: buildRoot(turn.question), isFixed: true };
}

function inThread({ question }: Turn, content: Content): ReplyMessage {
  return { channel: question.channel, threadTs: question.threadTs, content };
}

function toKey(asker: Person): string {
  return `sign-in-prompt:${toPersonKey(asker)}`;
}
