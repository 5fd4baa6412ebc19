import { createFaultQueue, type TakeableFaultQueue } from '../loopback/fault-queue.ts';
import { ASSISTANT_SCOPE } from '../loopback/scopes.ts';
import { createPlainVerifier, type VerifyToken } from '../loopback/token-holder.ts';
import type { AnswerFunction } from './conversation.ts';
import type { Conversation } from './conversation-store.ts';
import { answerByDefault } from './default-answer.ts';
import type { Fault, FaultOptions } from './faults.ts';
import { createChatGate, type PassableGate } from './gate.ts';
import { createAssistantLedger, type RecordingAssistantLedger } from './ledger.ts';
import type { AssistantAccess, AssistantOptions } from './options.ts';

/** Everything one stand-in holds while it runs. */
export type World = {
  readonly verifyToken: VerifyToken;
  readonly answer: AnswerFunction;
  readonly settings: Required<Omit<AssistantOptions, 'verifyToken' | 'answer'>>;
  readonly conversations: Map<string, Conversation>;
  readonly access: AssistantAccess;
  readonly faults: TakeableFaultQueue<Fault, FaultOptions>;
  readonly ledger: RecordingAssistantLedger;
  readonly gate: PassableGate;
};

export function createWorld(options: AssistantOptions): World {
  return {
    verifyToken: options.verifyToken ?? createPlainVerifier(ASSISTANT_SCOPE),
    answer: options.answer ?? answerByDefault,
    settings: {
      port: options.port ?? 0,
      latencyMs: options.latencyMs ?? 0,
      streaming: options.streaming ?? 'on',
      streamingOffStatus: options.streamingOffStatus ?? 404,
      spelling: options.spelling ?? 'chatoverstream',
      stepMs: options.stepMs ?? 2,
      requireLocationHint: options.requireLocationHint ?? false,
      parallelTurns: options.parallelTurns ?? 'conflict',
    },
    conversations: new Map(),
    access: { others: 'forbidden', unlicensed: new Map() },
    faults: createFaultQueue<Fault, FaultOptions>({}),
    ledger: createAssistantLedger(),
    gate: createChatGate(),
  };
}
