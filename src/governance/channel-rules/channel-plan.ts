// Edits about channels and other things of this app alone: nothing has to be read of the service, or written to it.
import { toPlan } from '../plan/make-plan.ts';
import type { Edit } from '../policy/edit.ts';
import type { Proposal } from '../run/engine.ts';
import type { GovernanceServices } from '../services.ts';

export function isOfChannels(edits: readonly Edit[]): boolean {
  return edits.every(({ target }) => 'channel' in target);
}

/** A proposal that no administrative interface is needed for. Throws StoreUnavailableError. */
export async function proposeForChannels(
  edits: readonly Edit[],
  { policy: store, createId }: Pick<GovernanceServices, 'policy' | 'createId'>,
): Promise<Proposal> {
  const { policy } = await store.read();
  const plan = toPlan(createId(), policy, { edits, items: [], leftOut: [] });
  return { plan, warnings: [], isGrave: false, typed: undefined, needsApprover: false };
}
