import type { IncomingMessage, ServerResponse } from 'node:http';
import { createFaultQueue } from '../loopback/fault-queue.ts';
import { createHooks } from '../loopback/hooks.ts';
import { startLoopbackServer } from '../loopback/loopback-server.ts';
import { check, Refused, readJson, sendReply } from '../loopback/reply.ts';
import { ASSISTANT_SCOPE, toAudience } from '../loopback/scopes.ts';
import { createPlainVerifier, readBearerToken, type TokenHolder, type VerifyToken } from '../loopback/token-holder.ts';
import { createChatGate, runChat, takeFault } from './chat.ts';
import { CREATE_BODY } from './chat-body.ts';
import { type AnswerFunction, type Conversation, createConversation } from './conversation.ts';
import { answerByDefault } from './default-answer.ts';
import { buildError, buildUnauthorized } from './error-replies.ts';
import { type AssistantFaults, type Fault, type FaultOptions, fitsOccasion, toPlay } from './faults.ts';
import { type AssistantLedger, createAssistantLedger } from './ledger.ts';

const DEFAULTS = {
  /** `sandbox-<name>` is a token of that person. */
  verifyToken: createPlainVerifier(ASSISTANT_SCOPE) as VerifyToken,
  answer: answerByDefault as AnswerFunction,
  /** How long an answer takes. */
  latencyMs: 0,
  streaming: 'on' as 'on' | 'off',
  /** What the stream path answers while streaming is off. */
  streamingOffStatus: 404 as 404 | 405,
  spelling: 'chatoverstream' as 'chatoverstream' | 'chatOverStream',
  /** Pause between the events of a stream, also by the text of the question. */
  stepMs: 2 as number | ((question: string) => number),
  /** The contract has `locationHint` optional; live services of this shape demand it. */
  requireLocationHint: false,
};

export type AssistantOptions = Partial<Readonly<typeof DEFAULTS>> & { readonly port?: number };

export type AssistantSandbox = Awaited<ReturnType<typeof startAssistant>>;

/** Everything one stand-in holds while it runs. */
export type World = ReturnType<typeof createWorld>;

function createWorld(settings: typeof DEFAULTS) {
  return {
    settings,
    conversations: new Map<string, Conversation>(),
    /** What people may do; tests change it while the stand-in runs. */
    access: {
      /** What a person who did not start a conversation gets in it. */
      others: 'forbidden' as 'forbidden' | 'not-found' | 'allowed',
      /** Subjects who may not ask, and how every chat of theirs is refused: live services do either. */
      unlicensed: new Map<string, '403-licence' | '500-wrapped-403'>(),
    },
    faults: createFaultQueue<Fault, FaultOptions>({}),
    ledger: createAssistantLedger(),
    gate: createChatGate(),
    created: createHooks<Conversation>(),
  };
}

/** Starts the stand-in of the assistant service on a loopback port. */
export async function startAssistant({ port = 0, ...options }: AssistantOptions = {}) {
  const world = createWorld({ ...DEFAULTS, ...options });
  const server = await startLoopbackServer((request, response) => serve(world, request, response), port);
  const { gate } = world;
  return {
    /** The `{base_url}` of the conversation interface. */
    url: server.url,
    ledger: world.ledger as AssistantLedger,
    faults: world.faults as AssistantFaults,
    conversations: world.conversations as ReadonlyMap<string, Conversation>,
    access: world.access,
    /** Awaited for every well-formed chat before it is answered. Returns a function that removes the hook. */
    onChat: gate.before.add,
    /** Awaited after the assistant has processed the question, before the answer is sent. */
    onAnswered: gate.after.add,
    /** Awaited after a conversation was created, before its id is sent. */
    onCreated: world.created.add,
    /** Holds back every chat (before it is processed) until `release`. */
    hold: gate.hold,
    release: gate.release,
    /** How many chats are held back. */
    get held(): number {
      return gate.held;
    },
    close: async () => {
      gate.release();
      await server.close();
    },
  };
}

async function serve(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const entry = world.ledger.record(request, response);
  const { id, on } = readRoute(world, entry.path);
  if (request.method !== 'POST') throw notAllowed();
  const early = world.faults.take(
    (fault, options) => toPlay(fault).arrives !== undefined && fitsOccasion(fault, options, { on, turnCount: 0 }),
  );
  if (early) return toPlay(early.fault).arrives?.(response);
  const holder = await checkToken(world, request);
  entry.subject = holder.subject;
  if (on === 'create') return runCreate(world, { request, response, subject: holder.subject });
  return runChat(world, { request, response, entry, holder, conversationId: id, isStreamed: on === 'stream' });
}

function readRoute({ settings }: World, path: string): { id: string; on: 'create' | 'sync' | 'stream' } {
  const [whole, id = '', operation] = /^\/rest\/(?:beta\/)?conversations(?:\/([^/]+)\/([^/]+))?$/.exec(path) ?? [];
  if (whole !== undefined && operation === undefined) return { id, on: 'create' };
  if (operation === 'chat') return { id, on: 'sync' };
  if (operation !== undefined && operation === settings.spelling) {
    if (settings.streaming === 'on') return { id, on: 'stream' };
    if (settings.streamingOffStatus === 405) throw notAllowed();
  }
  throw new Refused(buildError(404, 'NotFound', 'Resource not found.'));
}

function notAllowed(): Refused {
  return new Refused(buildError(405, 'MethodNotAllowed', 'Not here.'));
}

async function checkToken({ settings }: World, request: IncomingMessage): Promise<TokenHolder> {
  const token = readBearerToken(request);
  if (token === undefined) throw new Refused(buildUnauthorized('Access token is empty.', ''));
  const holder = await settings.verifyToken(token);
  if (holder === undefined) throw new Refused(buildUnauthorized('Lifetime validation failed.'));
  const scopes = holder.scope.split(' ');
  if (!scopes.some((scope) => scope.startsWith(toAudience(ASSISTANT_SCOPE))))
    throw new Refused(buildUnauthorized('Access token validation failure. Invalid audience.'));
  if (holder.isAppOnly === true || !scopes.includes(ASSISTANT_SCOPE))
    throw new Refused(buildError(403, 'Forbidden', 'Required scopes = [Agent.Ask]'));
  return holder;
}

type CreateCall = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly subject: string };

async function runCreate(world: World, { request, response, subject }: CreateCall): Promise<void> {
  check(CREATE_BODY, await readJson(request, buildError), buildError);
  const { fault, options } = takeFault(world, { on: 'create', turnCount: 0 });
  if (typeof fault === 'function') throw new Error('A fault function cannot be played on conversation creation.');
  const { refuses, loses } = toPlay(fault);
  if (refuses) return sendReply(response, refuses({ conversation: undefined, retryAfterS: options.retryAfterS ?? 1 }));
  const conversation = createConversation(subject);
  world.conversations.set(conversation.id, conversation);
  await world.created.run(conversation);
  const { id, createdDateTime, displayName, turnCount } = conversation;
  const body = { id, createdDateTime, displayName, status: 'active', turnCount };
  const payload = { status: 201, contentType: 'application/json', text: JSON.stringify(body) };
  if (loses) return loses(response, payload, options.ms);
  sendReply(response, { status: 201, body });
}
