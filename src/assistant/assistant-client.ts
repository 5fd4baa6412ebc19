// Client of the conversation interface. Never repeats a question that may have been processed. Never waits for a retry.
import type { HttpClient, HttpRequest, HttpResponse } from '../http/http-client.ts';
import { readTrace } from '../http/http-errors.ts';
import { withoutTrailingSlash } from '../http/web-address.ts';
import { parseJson } from '../json.ts';
import { inSpan } from '../tracing.ts';
import { AssistantUnreachableError } from './assistant-errors.ts';
import { parseConversationId } from './conversation-body.ts';
import { type AnswerReading, type AssistantAnswer, readAnswer } from './read-answer.ts';
import { readRefusalBody, toAskError, toAskFailure, toCreateFailure, WHOSE_FAILURE } from './refusal.ts';

export type { AssistantAnswer };

export type AssistantClientOptions = {
  http: HttpClient;
  /** `{base_url}` of the contract, without `/rest`. */
  baseUrl: string;
  stage: 'production' | 'beta';
  /** `auto`: streamed if the service offers it. */
  streaming: 'auto' | 'off';
  /** The last segment of the streaming operation's path; `chatoverstream` in the contract. */
  streamSegment: string;
  /** Epoch ms. */
  now(): number;
  /** `createMs`, `chatMs` and `streamMs` limit a whole exchange; `idleMs` limits the silence in a stream. */
  timeouts?: { createMs?: number; chatMs?: number; streamMs?: number; idleMs?: number };
};

/** `person`: the asker's key, the subject for the circuit breaker. */
type CreateCall = { person: string; accessToken: string; signal?: AbortSignal | undefined };

export type AskCall = CreateCall &
  Pick<AnswerReading, 'onProgress'> &
  ChatQuestion & {
    conversationId: string;
    /** The conversation was used before, so the service may have forgotten it. */
    reused: boolean;
    /** Called when the service begins to answer. */
    onBegin?: () => void;
  };

export type AssistantClient = ReturnType<typeof createAssistantClient>;

/** A stream may take longer: without one, gateways on the way give up after minutes of silence. */
const DEFAULT_TIMEOUTS = { createMs: 30_000, chatMs: 280_000, streamMs: 900_000, idleMs: 120_000 };

/** A stream repeats the whole text in every event: a long answer adds up to tens of megabytes. */
const MAX_STREAM_BYTES = 64 * 1024 * 1024;

/** The collection of conversations. */
export function toConversationsUrl(baseUrl: string, stage: AssistantClientOptions['stage']): string {
  return `${withoutTrailingSlash(baseUrl)}/rest/${stage === 'beta' ? 'beta/' : ''}conversations`;
}

export function createAssistantClient(options: AssistantClientOptions) {
  const { http, now } = options;
  const { createMs, chatMs, streamMs, idleMs } = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const conversations = toConversationsUrl(options.baseUrl, options.stage);
  const routes = createChatRoutes(options.streaming === 'off' ? undefined : options.streamSegment, now);

  /** `path`: below the collection of conversations. */
  function post(
    path: string,
    { person, accessToken, signal }: CreateCall,
    request: PostRequest,
  ): Promise<HttpResponse> {
    const { accept, ...rest } = request;
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json', accept };
    const url = `${conversations}${path}`;
    return http.send({ method: 'POST', url, subject: person, ...WHOSE_FAILURE, headers, signal, ...rest });
  }

  async function toError(response: HttpResponse, reused: boolean): Promise<Error> {
    return toAskError(response, await readRefusalBody(response), { reused, now: now() });
  }

  async function createConversation(call: CreateCall): Promise<{ id: string }> {
    try {
      const response = await post('', call, { accept: 'application/json', body: '{}', totalTimeoutMs: createMs });
      if (!isSuccess(response)) throw await toError(response, false);
      const id = parseConversationId(parseJson(await response.text()));
      if (id === undefined) throw new AssistantUnreachableError('the new conversation has no usable id');
      return { id };
    } catch (error) {
      throw toCreateFailure(error, call.signal);
    }
  }

  async function ask(call: AskCall): Promise<AssistantAnswer> {
    const body = buildChatRequest(call);
    let route = routes.first();
    for (;;) {
      const response = await sendQuestion(route, body, call);
      if (isSuccess(response)) {
        routes.remember(route);
        call.onBegin?.();
        const { requestId } = readTrace(response);
        const answer = await readAnswer(response, call);
        return requestId === undefined ? answer : { ...answer, requestId };
      }
      const next = routes.next(route, response.status, call.reused);
      const error = await toError(response, call.reused);
      if (!next) throw error;
      route = next;
    }
  }

  async function sendQuestion(route: ChatRoute, body: string, call: AskCall): Promise<HttpResponse> {
    try {
      return await post(`/${encodeURIComponent(call.conversationId)}/${route.segment}`, call, {
        accept: route.isStream ? 'text/event-stream' : 'application/json',
        body,
        totalTimeoutMs: route.isStream ? streamMs : chatMs,
        ...(route.isStream ? { isStreamed: true, idleTimeoutMs: idleMs, maxBodyBytes: MAX_STREAM_BYTES } : {}),
      });
    } catch (error) {
      throw toAskFailure(error, call.signal);
    }
  }

  return {
    /** Throws the errors of `ask`. An unknown outcome is AssistantUnreachableError, because no question was asked. */
    createConversation: (call: CreateCall) =>
      inSpan('assistant create conversation', { kind: 'call' }, () => createConversation(call)),
    /** Throws the errors of assistant-errors.ts. */
    ask: (call: AskCall) => inSpan('assistant chat', { kind: 'call' }, () => ask(call)),
  };
}

type PostRequest = { accept: string } & Pick<
  HttpRequest,
  'body' | 'totalTimeoutMs' | 'isStreamed' | 'idleTimeoutMs' | 'maxBodyBytes'
>;

function isSuccess(response: HttpResponse): boolean {
  return response.status >= 200 && response.status < 300;
}

type ChatQuestion = {
  text: string;
  /** IANA name. */
  timeZone: string;
  /** False turns web search off for this question. */
  webSearch: boolean;
  /** Absolute addresses of documents. */
  files: readonly string[];
};

/**
 * The documented shape of a chat request. Defaults are left out: web search is on unless sent as off, and an empty list
 * of files is not sent.
 */
function buildChatRequest(question: ChatQuestion): string {
  const context = {
    ...(question.webSearch ? {} : { webContext: { isWebEnabled: false } }),
    ...(question.files.length > 0 ? { files: question.files.map((uri) => ({ uri })) } : {}),
  };
  return JSON.stringify({
    message: { text: question.text },
    locationHint: { timeZone: question.timeZone },
    ...(Object.keys(context).length > 0 ? { contextualResources: context } : {}),
  });
}

type ChatRoute = { segment: string; isStream: boolean };

/** Refusals of the path, the method or the media type: nothing was processed. */
const NOT_OFFERED = [404, 405, 406, 415, 501];

const CHAT: ChatRoute = { segment: 'chat', isStream: false };

/** How long streaming stays off after a refusal, in ms: one wrong refusal must not disable it for good. */
const CHAT_MEMORY_MS = 60 * 60 * 1000;

/** The routes, best first: streaming, in the spellings that the contract and deployments use; then chat. */
function createChatRoutes(streamSegment: string | undefined, now: () => number) {
  const routes = [...toSpellings(streamSegment).map((segment) => ({ segment, isStream: true })), CHAT];
  let known: { route: ChatRoute; at: number } | undefined;

  /** The next route to try. Undefined: the refusal does not mean that the operation is missing, or no route is left. */
  function next(route: ChatRoute, status: number, reused: boolean): ChatRoute | undefined {
    if (!NOT_OFFERED.includes(status)) return undefined;
    // The route exists, because it has answered before: the conversation is gone.
    if (status === 404 && reused && route === known?.route) return undefined;
    return routes[routes.indexOf(route) + 1];
  }

  function isKnown(): boolean {
    return known !== undefined && (known.route.isStream || Math.abs(now() - known.at) < CHAT_MEMORY_MS);
  }

  return {
    first: () => (isKnown() ? known?.route : undefined) ?? routes[0] ?? CHAT,
    next,
    /** This route works: later questions start with it. */
    remember: (route: ChatRoute) => {
      if (known?.route === route && isKnown()) return;
      known = { route, at: now() };
    },
  };
}

function toSpellings(segment: string | undefined): string[] {
  if (segment === undefined) return [];
  if (segment.toLowerCase() !== 'chatoverstream') return [segment];
  return [segment, segment === 'chatOverStream' ? 'chatoverstream' : 'chatOverStream'];
}
