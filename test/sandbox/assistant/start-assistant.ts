import type { IncomingMessage, ServerResponse } from 'node:http';
import { startLoopbackServer } from '../loopback/loopback-server.ts';
import { sendReply } from '../loopback/reply.ts';
import { resetConnection } from '../loopback/wire-faults.ts';
import { checkToken, readJsonBody } from './admission.ts';
import { runChat, takeFault } from './chat.ts';
import { parseCreateBody } from './chat-body.ts';
import { type ConversationStore, createConversation } from './conversation-store.ts';
import { buildError } from './error-replies.ts';
import { type AssistantFaults, fitsOccasion, isRefusal, LOST_ANSWERS, type LossKind, REFUSALS } from './faults.ts';
import type { ChatGate } from './gate.ts';
import type { AssistantLedger } from './ledger.ts';
import type { AssistantAccess, AssistantOptions } from './options.ts';
import { createWorld, type World } from './world.ts';

export type AssistantSandbox = ChatGate & {
  /** The `{base_url}` of the conversation interface. */
  readonly url: string;
  readonly ledger: AssistantLedger;
  readonly faults: AssistantFaults;
  readonly conversations: ConversationStore;
  readonly access: AssistantAccess;
  close(): Promise<void>;
};

/** Starts the stand-in of the assistant service on a loopback port. */
export async function startAssistant(options: AssistantOptions = {}): Promise<AssistantSandbox> {
  const world = createWorld(options);
  const server = await startLoopbackServer((request, response) => serve(world, request, response), world.settings.port);
  const { ledger, faults, conversations, access, gate } = world;
  return {
    url: server.url,
    ledger,
    faults,
    conversations,
    access,
    onChat: gate.onChat,
    onAnswered: gate.onAnswered,
    onCreated: gate.onCreated,
    hold: gate.hold,
    release: gate.release,
    get held() {
      return gate.held;
    },
    close: async () => {
      gate.release();
      await server.close();
    },
  };
}

type Route =
  | { readonly kind: 'create' }
  | { readonly kind: 'chat'; readonly id: string; readonly isStreamed: boolean }
  | { readonly kind: 'refused'; readonly status: 404 | 405 };

async function serve(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const entry = world.ledger.record(request, response);
  const route = toRoute(world, entry.path);
  if (route.kind === 'refused') return refuseRoute(response, route.status);
  if (request.method !== 'POST') return refuseRoute(response, 405);
  const on = route.kind === 'create' ? 'create' : route.isStreamed ? 'stream' : 'sync';
  const early = world.faults.take(
    (fault, options) => fault === 'reset-before-body' && fitsOccasion(fault, options, { on, turnCount: 0 }),
  );
  if (early) return resetConnection(response);
  const token = await checkToken(world, request);
  if (!token.ok) return sendReply(response, token.reply);
  entry.subject = token.value.subject;
  if (route.kind === 'create') return runCreate(world, { request, response, subject: token.value.subject });
  const { id, isStreamed } = route;
  return runChat(world, { request, response, entry, holder: token.value, conversationId: id, isStreamed });
}

function toRoute(world: World, path: string): Route {
  const match = /^\/rest\/(?:beta\/)?conversations(?:\/([^/]+)\/([^/]+))?$/.exec(path);
  if (!match) return { kind: 'refused', status: 404 };
  const [, id, operation] = match;
  if (id === undefined) return { kind: 'create' };
  if (operation === 'chat') return { kind: 'chat', id, isStreamed: false };
  const { streaming, streamingOffStatus, spelling } = world.settings;
  if (operation !== spelling) return { kind: 'refused', status: 404 };
  return streaming === 'on' ? { kind: 'chat', id, isStreamed: true } : { kind: 'refused', status: streamingOffStatus };
}

function refuseRoute(response: ServerResponse, status: 404 | 405): void {
  const reply =
    status === 404
      ? buildError(404, 'NotFound', 'Resource not found.')
      : buildError(405, 'MethodNotAllowed', 'Not here.');
  sendReply(response, reply);
}

type CreateCall = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly subject: string };

async function runCreate(world: World, { request, response, subject }: CreateCall): Promise<void> {
  const body = await readJsonBody(request);
  if (!body.ok) return sendReply(response, body.reply);
  const checked = parseCreateBody(body.value);
  if (!checked.ok) return sendReply(response, buildError(400, 'BadRequest', checked.problem));
  const taken = takeFault(world, { on: 'create', turnCount: 0 });
  const fault = taken?.fault;
  if (fault !== undefined && isRefusal(fault)) {
    const retryAfterS = taken?.options.retryAfterS ?? 1;
    return sendReply(response, REFUSALS[fault]({ conversation: undefined, retryAfterS }));
  }
  const conversation = createConversation(subject, Date.now());
  world.conversations.set(conversation.id, conversation);
  await world.gate.created(conversation);
  if (typeof fault === 'function') throw new Error('A fault function cannot be played on conversation creation.');
  if (typeof fault === 'string') return loseCreation(response, fault as LossKind);
  const { id, createdDateTime, displayName, turnCount } = conversation;
  sendReply(response, { status: 201, body: { id, createdDateTime, displayName, status: 'active', turnCount } });
}

// Of the lost answers only those make sense here that lose all of it.
function loseCreation(response: ServerResponse, kind: LossKind): void {
  const reply = LOST_ANSWERS[kind]?.();
  if (reply) sendReply(response, reply);
  else if (kind === 'not-json') sendReply(response, { status: 201, body: '<html>not JSON' });
  else if (kind !== 'hang') resetConnection(response);
}
