// One chat request, from its checks to its answer.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TakenFault } from '../loopback/fault-queue.ts';
import type { LedgerEntry } from '../loopback/ledger.ts';
import { sendReply, waitWhileConnected } from '../loopback/reply.ts';
import type { TokenHolder } from '../loopback/token-holder.ts';
import { type Checked, checkConversation, readJsonBody } from './admission.ts';
import { parseChatBody } from './chat-body.ts';
import { type Question, type Turn, toConversationBody } from './conversation.ts';
import { addTurn, type Conversation } from './conversation-store.ts';
import { buildError } from './error-replies.ts';
import { type Fault, type FaultOptions, fitsOccasion, isRefusal, REFUSALS } from './faults.ts';
import type { ChatRecord } from './ledger.ts';
import { applyAnswerOddity, sendAnswer } from './send-answer.ts';
import type { World } from './world.ts';

export type ChatCall = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly entry: LedgerEntry;
  readonly holder: TokenHolder;
  readonly conversationId: string;
  readonly isStreamed: boolean;
};

export async function runChat(world: World, call: ChatCall): Promise<void> {
  const admitted = await admit(world, call);
  if (!admitted.ok) return sendReply(call.response, admitted.reply);
  const { chat, conversation } = admitted.value;
  conversation.isBusy = true;
  call.response.once('close', () => {
    conversation.isBusy = false;
  });
  await world.gate.enter(chat);
  await answerChat(world, call, { chat, conversation });
}

type Admitted = { readonly chat: ChatRecord; readonly conversation: Conversation };

async function admit(world: World, call: ChatCall): Promise<Checked<Admitted>> {
  const body = await readJsonBody(call.request);
  if (!body.ok) return body;
  call.entry.body = body.value;
  const checked = parseChatBody(body.value, world.settings.requireLocationHint);
  if (!checked.ok) return { ok: false, reply: buildError(400, 'BadRequest', checked.problem) };
  const { subject, name } = call.holder;
  const found = checkConversation(world, call.conversationId, subject);
  const place = { subject, name, conversation: call.conversationId, isStreamed: call.isStreamed };
  const chat = world.ledger.addChat({ ...checked.value, ...place }, call.entry);
  if (!found.ok) return found;
  if (found.value.isBusy && world.settings.parallelTurns === 'conflict') {
    return { ok: false, reply: buildError(409, 'Conflict', 'Another turn of this conversation is running.') };
  }
  return { ok: true, value: { chat, conversation: found.value } };
}

async function answerChat(world: World, call: ChatCall, { chat, conversation }: Admitted): Promise<void> {
  const { response, isStreamed } = call;
  const taken = takeFault(world, { on: isStreamed ? 'stream' : 'sync', turnCount: conversation.turnCount });
  const fault = taken?.fault;
  if (fault !== undefined && isRefusal(fault)) {
    return sendReply(response, REFUSALS[fault]({ conversation, retryAfterS: taken?.options.retryAfterS ?? 1 }));
  }
  const process = () => processTurn(world, chat, conversation);
  if (typeof fault === 'function') {
    return fault({ chat, response, process: async () => toConversationBody(await process()) });
  }
  // A client that hung up while it waited still has its question processed, as a real service would.
  await waitWhileConnected(response, world.settings.latencyMs);
  const turn = applyAnswerOddity(await process(), fault);
  conversation.state = turn.state;
  await world.gate.leave(chat);
  // Whoever has read the whole answer may ask again at once, before this side sees the exchange end.
  if (!isStreamed && fault !== 'hang' && fault !== 'drip') conversation.isBusy = false;
  const { stepMs } = world.settings;
  const pauseMs = typeof stepMs === 'function' ? stepMs(chat.text) : stepMs;
  await sendAnswer(turn, { response, isStreamed, stepMs: pauseMs, taken });
}

async function processTurn(world: World, chat: ChatRecord, conversation: Conversation): Promise<Turn> {
  const question: Question = {
    subject: chat.subject,
    name: chat.name,
    conversation: conversation.id,
    text: chat.text,
    timeZone: chat.timeZone,
    isWebEnabled: chat.isWebEnabled ?? true,
    files: chat.files,
    turn: conversation.turnCount + 1,
    earlier: [...conversation.questions],
  };
  const answer = await world.answer(question);
  const turn = addTurn(conversation, question, typeof answer === 'string' ? { text: answer } : answer);
  chat.isProcessed = true;
  return turn;
}

export function takeFault(
  world: World,
  occasion: Parameters<typeof fitsOccasion>[2],
): TakenFault<Fault, FaultOptions> | undefined {
  return world.faults.take((fault, options) => fault !== 'reset-before-body' && fitsOccasion(fault, options, occasion));
}
