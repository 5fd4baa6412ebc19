// What was read for a review, or why it was not.

import type { Found } from '../../admin/inventory-query.ts';
import type { Agent, Environment } from '../../admin-api/inventory-wire.ts';
import type { Allocation } from '../../admin-api/licensing-wire.ts';
import type { GovernedAgent, KnownLimit } from '../inventory/agent-limit.ts';
import type { UnreadableReason } from './finding.ts';

export type Unreadable = { unreadable: UnreadableReason };

/** 'none': the service knows no allocation of this environment. */
export type AllocationReading = Allocation | 'none' | Unreadable;

/** `agent` has the id that its limit is filed under. */
export type LimitReading = { agent: GovernedAgent; known: KnownLimit } | Unreadable;

export type InventoryReading = {
  environments: Found<Environment> | Unreadable;
  agents: Found<Agent> | Unreadable;
};

/** Why the inventory may lack some; undefined where it is complete. */
export type InventoryGaps = { environments: UnreadableReason | undefined; agents: UnreadableReason | undefined };

export function isUnreadable(reading: object | string | undefined): reading is Unreadable {
  return typeof reading === 'object' && 'unreadable' in reading;
}

/** Why something that is not in the list may exist all the same; undefined where the list is complete. */
export function toGap(list: Found<unknown> | Unreadable): UnreadableReason | undefined {
  if (isUnreadable(list)) return list.unreadable;
  return list.truncated ? 'inventory_truncated' : undefined;
}
