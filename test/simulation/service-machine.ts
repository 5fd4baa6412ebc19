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

/** What the service has processed: whose token came with it, and for whom the app says that it asks. */
type AskedQuestion = { text: string; owner: string; person: string; conversation: string; at: number };

export type ServiceMachine = ReturnType<typeof createServiceMachine>;

/** Short, so that tokens are refreshed all the time. */
const TOKEN_LIFE_MS = 60_000;

/** `wall`: epoch ms. */
export function createServiceMachine(wall: () => number) {
  const conversations = new Map<string, { owner: string; isBusy: boolean }>();
  const tokens = new Map<string, { person: string; expiresAt: number }>();
  const refreshes = new Map<string, { person: string; isSpent: boolean }>();
  const asked: AskedQuestion[] = [];
  const ended = new Set<string>();
  let count = 0;

  function issue(person: string): TokenSet {
    const accessToken = `access ${person} ${++count}`;
    const refreshToken = `refresh ${person} ${count}`;
    const obtainedAt = wall();
    const expiresAt = obtainedAt + TOKEN_LIFE_MS;
    tokens.set(accessToken, { person, expiresAt });
    refreshes.set(refreshToken, { person, isSpent: false });
    return { accessToken, refreshToken, obtainedAt, expiresAt };
  }

  /** Throws where the token is none. */
  function ownerOf(token: string): string {
    const known = tokens.get(token);
    if (!known || known.expiresAt <= wall() || ended.has(known.person))
      throw new AssistantUnauthorizedError(undefined, {});
    return known.person;
  }

  return {
    asked,
    issue,
    /** A second use of a refresh token ends the authorization, as providers do that detect a replay. */
    ended,
    refresh(refreshToken: string): TokenSet {
      const known = refreshes.get(refreshToken);
      if (!known || ended.has(known.person)) throw new AuthorizationEndedError('invalid_grant');
      if (known.isSpent) {
        ended.add(known.person);
        throw new AuthorizationEndedError('invalid_grant');
      }
      known.isSpent = true;
      return issue(known.person);
    },
    create({ accessToken }: Pick<AskCall, 'accessToken'>): { id: string } {
      const id = `conversation ${conversations.size + 1}`;
      conversations.set(id, { owner: ownerOf(accessToken), isBusy: false });
      return { id };
    },
    /** The question is processed from here on. Returns what ends it. */
    begin({ accessToken, person, conversationId, text }: AskCall): { answer: string; end(): void } {
      const owner = ownerOf(accessToken);
      const conversation = conversations.get(conversationId);
      if (!conversation) throw new ConversationGoneError({});
      if (conversation.isBusy) throw new ConversationBusyError({});
      conversation.isBusy = true;
      asked.push({ text, owner, person, conversation: conversationId, at: wall() });
      return {
        answer: `answer to ${text} for ${owner}`,
        end() {
          conversation.isBusy = false;
        },
      };
    },
    /** The service forgets a conversation. */
    forget(id: string) {
      conversations.delete(id);
    },
  };
}

/** How the service fails before it has processed anything. */
export const REFUSALS = [
  () => new AssistantThrottledError(2_000, { status: 429 }),
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
