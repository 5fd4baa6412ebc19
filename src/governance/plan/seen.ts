// What the service showed, as plans compare it with the policy.
import type { Allocation } from '../../admin-api/licensing-wire.ts';
import type { SeenAgent } from '../inventory/seen-agent.ts';
import type { Credits, Limit } from '../policy/values.ts';

export type { SeenAgent } from '../inventory/seen-agent.ts';

/** `ownerId`: of a person in the directory. Names are as their makers gave them: untrusted. */
export type SeenEnvironment = { environmentId: string; name: string; ownerId: string | undefined };

/** What the service holds for one agent in one currency. `used`: credits of this month, never compared. */
export type ThresholdState = { limit: Limit; stopped: boolean; used?: number | undefined };

/**
 * `hidden`: the service offers no read of limits, or it is switched off; `unreadable`: the read failed, or this part of it
 * cannot be understood. Nothing is ever concluded from either.
 */
export type SeenThreshold = ThresholdState | 'hidden' | 'unreadable';

/** By currency, as the service names them. A rule that is not listed, or unreadable, is left out. */
export type CreditsState = Record<string, Credits>;

/** `raw`: as received, for a complete update. `none`: the service knows no allocation of this environment. */
export type SeenCredits = { credits: CreditsState; raw: Allocation | 'none' } | 'unreadable';

export type Seen = {
  /** Epoch ms. */
  at: number;
  environments: readonly SeenEnvironment[];
  agents: readonly SeenAgent[];
  /** False: the service did not list everything, so what is missing is not gone. */
  isWhole: boolean;
  threshold(agent: SeenAgent, currency: string): SeenThreshold;
  /** Undefined: not looked at. */
  credits(environmentId: string): SeenCredits | undefined;
};

/**
 * What was last sent from here for an agent and currency. `at`: epoch ms. `run`: that sent it. `inDoubt`: it is not known
 * whether the service took it.
 */
export type Sent = { limit: Limit; stopped: boolean; at: number; run: string; inDoubt?: true | undefined };

/** By toTargetKey of the agent with its currency. */
export type ReadSent = (key: string) => Sent | undefined;
