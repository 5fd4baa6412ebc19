// The assistant service and the identity provider as state machines without sockets.
import type { AskCall } from '../../src/assistant/assistant-client.ts';
import {
  AssistantOutcomeUnknownError,
  AssistantThrottledError,
  AssistantUnauthorizedError,
  AssistantUnreachableError,
  ConversationBusyError,
  ConversationGoneError,
} from '../../src/assistant/assistant-errors.ts';
import type { TokenSet } from '../../src/identity/account-link.ts';
import { AuthorizationEndedError, IdentityProviderUnavailableError } from '../../src/identity/identity-errors.ts';
import { toAnswerText } from '../faults/item.ts';
import type { Owner } from './virtual-time.ts';

/** What the service has processed, and whose token came with it. */
type AskedQuestion = {
  text: string;
  owner: string;
  conversation: string;
  at: number;
  /** Of the answer, or when the next one was asked and nobody waited for this one any more; Infinity until then. */
  until: number;
  /** How long ago (ms) its owner had signed out. */
  signedOutMs: number;
};

/** `isFirstWell`: the process that used the refresh token first neither died nor stood still. */
type Replay = { person: string; afterMs: number; isFirstWell: boolean };

export type ServiceMachine = ReturnType<typeof createServiceMachine>;

/** Short, so that tokens are refreshed all the time. */
const TOKEN_LIFE_MS = 60_000;

/** `wall`: epoch ms. */
export function createServiceMachine(wall: () => number) {
  const conversations = new Map<string, { owner: string; isBusy: boolean }>();
  const tokens = new Map<string, { person: string; expiresAt: number }>();
  const refreshes = new Map<string, { person: string; spent?: { by: Owner; at: number } }>();
  const replays: Replay[] = [];
  const asked: AskedQuestion[] = [];
  const ended = new Set<string>();
  const signedOut = new Map<string, number>();
  let open: { record: AskedQuestion; isOver(): boolean }[] = [];
  let count = 0;

  function issue(person: string): TokenSet {
    const accessToken = `access ${person} ${++count}`;
    const refreshToken = `refresh ${person} ${count}`;
    const obtainedAt = wall();
    const expiresAt = obtainedAt + TOKEN_LIFE_MS;
    tokens.set(accessToken, { person, expiresAt });
    refreshes.set(refreshToken, { person });
    return { accessToken, refreshToken, obtainedAt, expiresAt };
  }

  /** Throws where the token is none. */
  function ownerOf(token: string): string {
    const known = tokens.get(token);
    if (!known || known.expiresAt <= wall() || ended.has(known.person)) throw new AssistantUnauthorizedError({});
    return known.person;
  }

  return {
    asked,
    issue,
    /** A second use of a refresh token ends the authorization, as providers do that detect a replay. */
    ended,
    replays,
    /** By person: since when (epoch ms) they are signed out. */
    signedOut,
    refresh(refreshToken: string, by: Owner): TokenSet {
      const known = refreshes.get(refreshToken);
      if (!known || ended.has(known.person)) throw new AuthorizationEndedError('invalid_grant');
      if (known.spent) {
        ended.add(known.person);
        const { by: first, at } = known.spent;
        const isFirstWell = !first.isDead && first.frozenUntil === 0;
        replays.push({ person: known.person, afterMs: wall() - at, isFirstWell });
        throw new AuthorizationEndedError('invalid_grant');
      }
      known.spent = { by, at: wall() };
      return issue(known.person);
    },
    create({ accessToken }: Pick<AskCall, 'accessToken'>): { id: string } {
      const id = `conversation ${conversations.size + 1}`;
      conversations.set(id, { owner: ownerOf(accessToken), isBusy: false });
      return { id };
    },
    /** The question is processed from here on, as long as somebody listens. Returns what ends it. */
    begin({ accessToken, conversationId, text, signal }: AskCall, isAskerDead: () => boolean) {
      const owner = ownerOf(accessToken);
      const conversation = conversations.get(conversationId);
      if (!conversation) throw new ConversationGoneError({});
      if (conversation.isBusy) throw new ConversationBusyError({});
      conversation.isBusy = true;
      const at = wall();
      for (const { record, isOver } of open) if (isOver()) record.until = Math.min(record.until, at);
      open = open.filter(({ record }) => record.until > at);
      const signedOutMs = at - (signedOut.get(owner) ?? at);
      const record = { text, owner, conversation: conversationId, at, until: Infinity, signedOutMs };
      open.push({ record, isOver: () => isAskerDead() || signal?.aborted === true });
      asked.push(record);
      return {
        answer: toAnswerText(Number(/q(\d+)/.exec(text)?.[1])),
        end() {
          record.until = Math.min(record.until, wall());
          conversation.isBusy = false;
        },
      };
    },
  };
}

/** How the service fails before it has processed anything. */
export const REFUSALS = [
  () => new AssistantThrottledError(2_000, { status: 429 }),
  () => new AssistantThrottledError(45_000, { status: 429 }),
  () => new AssistantUnreachableError('no connection'),
] as const;

/** How it fails so that nobody can tell whether it did. */
export const IN_DOUBT = [
  () => new AssistantOutcomeUnknownError('reset'),
  () => new AssistantOutcomeUnknownError('service_error'),
  () => new AssistantOutcomeUnknownError('timeout'),
] as const;

export function providerDown(): Error {
  return new IdentityProviderUnavailableError('no connection');
}
