// What a kind of item is to a run: how it is read again, compared, and written.
import type { AdminReceipt } from '../../admin-api/admin-errors.ts';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Item } from '../plan/plan.ts';

/** `hidden`: the service offers no such read; `unreadable`: it failed, or cannot be understood. */
export type Unseen = 'hidden' | 'unreadable';

/** What the service shows. `raw`: as a write needs it. */
export type Looked<State, Raw> = { state: State; raw: Raw };

export type Resource<OneItem extends Item, State, Raw> = {
  /** One at a time for each. */
  toLockKey(item: OneItem): string;
  /** Throws the errors of admin-errors.ts where the contract has this read, so that its failure counts. */
  look(item: OneItem, session: AdminSession): Promise<Looked<State, Raw> | Unseen>;
  /** Undefined: the plan was made without knowing what was there. */
  isBefore(item: OneItem, state: State): boolean | undefined;
  isAfter(item: OneItem, state: State): boolean;
  isSame(one: State, other: State): boolean;
  /** `looked`: as it was just read. Throws the errors of admin-errors.ts. */
  write(item: OneItem, looked: Looked<State, Raw> | Unseen, session: AdminSession): Promise<AdminReceipt>;
};
