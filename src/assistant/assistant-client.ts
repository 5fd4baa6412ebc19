// The client of the conversation interface. It never asks twice what may have been processed, and never waits.
import type { HttpClient, HttpResponse } from '../http/http-client.ts';
import type { AssistantAnswer } from './assistant-answer.ts';
import { AssistantUnreachableError } from './assistant-errors.ts';
import { buildChatRequest, type ChatQuestion } from './chat-request.ts';
import { type ChatRoute, createChatRoutes } from './chat-routes.ts';
import { parseConversationId } from './conversation-body.ts';
import { parseJson } from './json.ts';
import { readAnswer } from './read-answer.ts';
import { isRefusal, readRefusalBody, toAskError, toCreateError } from './refusal.ts';
import { toAskFailure, toCreateFailure } from './transport-failure.ts';

export type { AssistantAnswer };

export type AssistantClientOptions = {
  http: HttpClient;
  /** `{base_url}` of the contract, without `/rest`. */
  baseUrl: string;
  stage: 'production' | 'beta';
  /** `auto`: streamed where the service offers it. */
  streaming: 'auto' | 'off';
  /** The last segment of the streaming operation's path; `chatoverstream` in the contract. */
  streamSegment: string;
  /** Epoch ms. */
  now(): number;
  /** `createMs` and `totalMs` bound an exchange, `idleMs` the silence in a stream. */
  timeouts?: { createMs?: number; idleMs?: number; totalMs?: number };
};

/** `person`: who asks, as a key: the service counts as down where it fails for several of them. */
type CreateCall = { person: string; accessToken: string; signal?: AbortSignal | undefined };

export type AskCall = CreateCall &
  ChatQuestion & {
    conversationId: string;
    /** The conversation was used before, so that the service may have forgotten it. */
    reused: boolean;
  };

export type AssistantClient = {
  /** Throws what `ask` throws, except that a failure in doubt is AssistantUnreachableError: no question was asked. */
  createConversation(call: CreateCall): Promise<{ id: string }>;
  /** Throws the errors of assistant-errors.ts. */
  ask(call: AskCall): Promise<AssistantAnswer>;
};

const DEFAULT_TIMEOUTS = { createMs: 30_000, idleMs: 120_000, totalMs: 280_000 };

/** A stream repeats its text with every event: four minutes of a long answer come to tens of megabytes. */
const MAX_STREAM_BYTES = 64 * 1024 * 1024;

/** Where conversations are created, and below which they are. */
export function toConversationsUrl(baseUrl: string, stage: AssistantClientOptions['stage']): string {
  return `${baseUrl.replace(/\/+$/, '')}/rest/${stage === 'beta' ? 'beta/' : ''}conversations`;
}

export function createAssistantClient(options: AssistantClientOptions): AssistantClient {
  const { http, now } = options;
  const { createMs, idleMs, totalMs } = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const conversations = toConversationsUrl(options.baseUrl, options.stage);
  const routes = createChatRoutes(options.streaming === 'off' ? undefined : options.streamSegment, now);

  async function createConversation({ person, accessToken, signal }: CreateCall): Promise<{ id: string }> {
    try {
      const headers = buildHeaders(accessToken, 'application/json');
      const request = {
        method: 'POST',
        url: conversations,
        subject: person,
        isRefusal,
        headers,
        body: '{}',
        totalTimeoutMs: createMs,
        signal,
      } as const;
      const response = await http.send(request);
      if (!isSuccess(response)) throw toCreateError(response, await readRefusalBody(response), now());
      const id = parseConversationId(parseJson(await response.text()));
      if (id === undefined) throw new AssistantUnreachableError('the new conversation has no usable id');
      return { id };
    } catch (error) {
      throw toCreateFailure(error, signal);
    }
  }

  async function ask(call: AskCall): Promise<AssistantAnswer> {
    const body = buildChatRequest(call);
    let route = routes.first();
    for (;;) {
      const response = await sendQuestion(route, body, call);
      if (isSuccess(response)) {
        routes.remember(route);
        return await readAnswer(response, call);
      }
      const next = routes.next(route, response.status, call.reused);
      const refusal = await readRefusalBody(response);
      if (!next) throw toAskError(response, refusal, { reused: call.reused, now: now() });
      route = next;
    }
  }

  async function sendQuestion(route: ChatRoute, body: string, call: AskCall): Promise<HttpResponse> {
    try {
      return await http.send({
        method: 'POST',
        url: `${conversations}/${encodeURIComponent(call.conversationId)}/${route.segment}`,
        subject: call.person,
        isRefusal,
        headers: buildHeaders(call.accessToken, route.isStream ? 'text/event-stream' : 'application/json'),
        body,
        totalTimeoutMs: totalMs,
        signal: call.signal,
        ...(route.isStream ? { isStreamed: true, idleTimeoutMs: idleMs, maxBodyBytes: MAX_STREAM_BYTES } : {}),
      });
    } catch (error) {
      throw toAskFailure(error, call.signal);
    }
  }

  return { createConversation, ask };
}

function buildHeaders(accessToken: string, accept: string): Record<string, string> {
  return { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json', accept };
}

function isSuccess(response: HttpResponse): boolean {
  return response.status >= 200 && response.status < 300;
}
