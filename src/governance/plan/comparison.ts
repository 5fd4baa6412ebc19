// What is compared, how, and what comes of it.
import type { Policy } from '../policy/policy.ts';
import type { Item, LeftOut } from './plan.ts';
import type { CreditsState, ReadSent, SeenAgent, Sent, ThresholdState } from './seen.ts';

/** Which settings of a threshold are brought to what is approved. The other stays as it is. */
export type Touched = { limit: boolean; stop: boolean };

export type Scope = {
  /** Undefined: the agent is left alone. */
  agent(agent: SeenAgent, currency: string): Touched | undefined;
  credits(environmentId: string, currency: string): boolean;
};

export type CompareOptions = {
  /** The currency that a class's limit is in, and that stops are sent in. */
  defaultCurrency: string;
  readSent: ReadSent;
  /**
   * In a review, what was sent from here counts where the service does not show it, until it is this old (ms): the console
   * may have changed it. Undefined for a change, which is sent in any case.
   */
  trustSentMs: number | undefined;
  /** Epoch ms. */
  now: number;
  /** Whether agents run of which the service does not show it, and of which nobody has said it. Undefined: left out. */
  unknownStop?: 'runs' | undefined;
  /** Of a change: the policy before it. A stop that it had, and that nothing approves any more, ends. */
  before?: Policy | undefined;
  /** Of an undone change: what was there, for what the policy says nothing of any more. */
  restore?: Restore | undefined;
};

/** `threshold`: by toTargetKey of the agent with its currency. Undefined: nothing is known. */
export type Restore = {
  threshold(key: string): ThresholdState | undefined;
  credits(environmentId: string): CreditsState | undefined;
};

export type Differences = {
  items: Item[];
  /** What could not be compared, or may not be written. */
  leftOut: LeftOut[];
  /** Thresholds that the service does not show, and that are approved as they were last sent. */
  asSent: { agent: SeenAgent; currency: string; sent: Sent }[];
  /** How many thresholds and currencies of environments were compared. */
  compared: number;
};
