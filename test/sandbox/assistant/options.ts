import type { VerifyToken } from '../loopback/token-holder.ts';
import type { AnswerFunction } from './conversation.ts';

/** Live services refuse a person in either form; in the second, only the message of a 500 tells. */
type PersonalRefusal = '403-licence' | '500-wrapped-403';

export type AssistantOptions = {
  readonly port?: number;
  /** Default: `sandbox-<name>` is a token of that person. */
  readonly verifyToken?: VerifyToken;
  readonly answer?: AnswerFunction;
  /** How long an answer takes. */
  readonly latencyMs?: number;
  readonly streaming?: 'on' | 'off';
  /** What the stream path answers while streaming is off: 404 (default) or 405. */
  readonly streamingOffStatus?: 404 | 405;
  readonly spelling?: 'chatoverstream' | 'chatOverStream';
  /** Pause between the events of a stream, also by the text of the question; default 2. */
  readonly stepMs?: number | ((question: string) => number);
  /** The contract has `locationHint` optional (default false); live services of this shape demand it. */
  readonly requireLocationHint?: boolean;
  /** A second chat while one runs in the same conversation: 409 (default) or taken as well. */
  readonly parallelTurns?: 'conflict' | 'allow';
};

/** What people may do; tests change it while the stand-in runs. */
export type AssistantAccess = {
  /** What a person who did not start a conversation gets in it; default `forbidden` (403). */
  others: 'forbidden' | 'not-found' | 'allowed';
  /** Subjects who may not ask, and how every chat of theirs is refused. */
  readonly unlicensed: Map<string, PersonalRefusal>;
};
