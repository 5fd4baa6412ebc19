// What the inventory tells of an agent, in words (mrkdwn).
import type { InventoryRow } from '../../../governance/inventory.ts';
import { toMrkdwnLine } from '../shown-text.ts';

export function describeOwnerAndHarness({ ownerId, isHarness }: InventoryRow): string {
  return `Owner: ${describeOwner(ownerId)} · Harness agent: ${describeHarness(isHarness)}`;
}

/** A person in the directory, by id: Slack does not know it. */
export function describeOwner(ownerId: string | undefined): string {
  return ownerId === undefined ? 'not told' : toMrkdwnLine(ownerId, 80);
}

function describeHarness(isHarness: InventoryRow['isHarness']): string {
  if (isHarness === 'unknown') return 'unknown';
  return isHarness ? 'yes' : 'no';
}
