// One chat request, from its checks to its answer.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createHooks } from '../loopback/hooks.ts';
import type { LedgerEntry } from '../loopback/ledger.ts';
import { check, noteSent, Refused, readJson, sendReply, waitWhileConnected } from '../loopback/reply.ts';
import type { TokenHolder } from '../loopback/token-holder.ts';
import { CHAT_BODY } from './chat-body.ts';
import { addTurn, type Conversation, type Question, type Turn, toConversationBody } from './conversation.ts';
import { buildError } from './error-replies.ts';
import { type Fault, type FaultOptions, fitsOccasion, type Occasion, PLAYS, toPlay } from './faults.ts';
import type { ChatRecord } from './ledger.ts';
import type { World } from './start-assistant.ts';
import { buildStreamScript, type StreamScript } from './stream-script.ts';

export type ChatCall = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly entry: LedgerEntry;
  readonly holder: TokenHolder;
  readonly conversationId: string;
  readonly isStreamed: boolean;
};

const DEFAULT_SILENCE_MS = 200;

/** What tests hook into the way of a chat: stop it, watch it, act at exact moments (a SIGKILL, for one). */
export function createChatGate() {
  const before = createHooks<ChatRecord>();
  let barrier: PromiseWithResolvers<void> | undefined;
  let held = 0;
  return {
    before,
    after: createHooks<ChatRecord>(),
    hold(): void {
      barrier ??= Promise.withResolvers<void>();
    },
    release(): void {
      barrier?.resolve();
      barrier = undefined;
    },
    get held(): number {
      return held;
    },
    async enter(chat: ChatRecord): Promise<void> {
      await before.run(chat);
      held += 1;
      await barrier?.promise;
      held -= 1;
    },
  };
}

type Admitted = { readonly chat: ChatRecord; readonly conversation: Conversation };

export async function runChat(world: World, call: ChatCall): Promise<void> {
  const { chat, conversation } = await admit(world, call);
  conversation.isBusy = true;
  call.response.once('close', () => {
    conversation.isBusy = false;
  });
  await world.gate.enter(chat);
  await answerChat(world, call, { chat, conversation });
}

async function admit(world: World, call: ChatCall): Promise<Admitted> {
  call.entry.body = await readJson(call.request, buildError);
  const asked = check(CHAT_BODY, call.entry.body, buildError);
  if (world.settings.requireLocationHint && asked.timeZone === undefined)
    throw new Refused(buildError(400, 'BadRequest', 'locationHint: is required'));
  const { subject, name } = call.holder;
  const place = { subject, name, conversation: call.conversationId, isStreamed: call.isStreamed };
  const chat = world.ledger.addChat({ ...asked, ...place }, call.entry);
  const conversation = requireConversation(world, call.conversationId, subject);
  if (conversation.isBusy)
    throw new Refused(buildError(409, 'Conflict', 'Another turn of this conversation is running.'));
  return { chat, conversation };
}

/** The rights of this person in this conversation, and whether it still takes questions. */
function requireConversation({ conversations, access }: World, id: string, subject: string): Conversation {
  const conversation = conversations.get(id);
  const isOthers = conversation?.owner !== subject && access.others !== 'allowed';
  if (conversation === undefined || (isOthers && access.others === 'not-found'))
    throw new Refused(buildError(404, 'NotFound', 'Conversation not found.'));
  if (isOthers) throw new Refused(buildError(403, 'Forbidden', 'The conversation belongs to another user.'));
  const refusal = access.unlicensed.get(subject);
  if (refusal) throw new Refused(PLAYS[refusal].refuses({ conversation, retryAfterS: 0 }));
  if (conversation.goneWith !== undefined)
    throw new Refused(buildError(conversation.goneWith, 'NotFound', 'The conversation cannot be continued.'));
  if (conversation.state !== 'active')
    throw new Refused(buildError(400, 'BadRequest', 'The assistant has disengaged from this conversation.'));
  return conversation;
}

type Taken = { readonly fault: Fault | undefined; readonly options: FaultOptions };

export function takeFault({ faults }: World, occasion: Occasion): Taken {
  const fits = (fault: Fault, options: FaultOptions) =>
    toPlay(fault).arrives === undefined && fitsOccasion(fault, options, occasion);
  return faults.take(fits) ?? { fault: undefined, options: {} };
}

async function answerChat(world: World, call: ChatCall, { chat, conversation }: Admitted): Promise<void> {
  const { response, isStreamed } = call;
  const taken = takeFault(world, { on: isStreamed ? 'stream' : 'sync', turnCount: conversation.turnCount });
  const { fault, options } = taken;
  const { refuses, changes, loses } = toPlay(fault);
  if (refuses) return sendReply(response, refuses({ conversation, retryAfterS: options.retryAfterS ?? 1 }));
  const process = () => processTurn(world, chat, conversation);
  if (typeof fault === 'function')
    return fault({ chat, response, process: async () => toConversationBody(await process()) });
  // A client that hung up while it waited still has its question processed, as a real service would.
  await waitWhileConnected(response, world.settings.latencyMs);
  const processed = await process();
  const turn = changes?.(processed) ?? processed;
  conversation.state = turn.state;
  await world.gate.after.run(chat);
  // Whoever has read the whole answer may ask again at once, before this side sees the exchange end.
  if (!isStreamed && fault !== 'hang' && fault !== 'drip') conversation.isBusy = false;
  const { stepMs } = world.settings;
  const script = isStreamed && buildScript(turn, typeof stepMs === 'function' ? stepMs(chat.text) : stepMs, taken);
  if (loses) return loses(response, toPayload(turn, script), options.ms);
  if (script) return playScript(script, response);
  sendReply(response, { status: 200, headers: { 'request-id': randomUUID() }, body: toConversationBody(turn) });
}

async function processTurn(world: World, chat: ChatRecord, conversation: Conversation): Promise<Turn> {
  const { subject, name, text, timeZone, files } = chat;
  const question: Question = {
    ...{ subject, name, text, timeZone, files },
    conversation: conversation.id,
    isWebEnabled: chat.isWebEnabled ?? true,
    turn: conversation.turnCount + 1,
    earlier: [...conversation.questions],
  };
  const answer = await world.settings.answer(question);
  const turn = addTurn(conversation, question, typeof answer === 'string' ? { text: answer } : answer);
  chat.isProcessed = true;
  return turn;
}

function buildScript(turn: Turn, stepMs: number, { fault, options }: Taken): StreamScript {
  const timing = { stepMs, silenceMs: options.ms ?? DEFAULT_SILENCE_MS };
  return toPlay(fault).streams?.(turn, timing) ?? buildStreamScript(turn, stepMs);
}

function toPayload(turn: Turn, script: StreamScript | false) {
  return script
    ? { status: 200, contentType: script.contentType, text: script.steps.map((step) => step.text).join('') }
    : { status: 200, contentType: 'application/json', text: JSON.stringify(toConversationBody(turn)) };
}

async function playScript(script: StreamScript, response: ServerResponse): Promise<void> {
  response.writeHead(200, {
    'content-type': script.contentType,
    'cache-control': 'no-cache',
    'request-id': randomUUID(),
  });
  response.flushHeaders();
  let sent = '';
  for (const step of script.steps) {
    if (!(await waitWhileConnected(response, step.waitMs))) return;
    response.write(step.text);
    sent += step.text;
    noteSent(response, sent);
  }
  if (script.end === 'finish') response.end();
  else response.write('data:{"id":"', () => response.destroy());
}
