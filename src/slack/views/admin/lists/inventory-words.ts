// What the inventory tells of an agent, in words (mrkdwn), and how to find it there.
import { hasFilter } from '../../../../governance/agent-filter.ts';
import type { InventoryRow } from '../../../../governance/inventory/inventory.ts';
import { toMrkdwnLine, toMrkdwnName } from '../../shown-text.ts';
import type { ListName } from './page-turn.ts';

/** Names are as long as their makers like; here they must leave room for the rest. */
const MAX_NAME_LENGTH = 100;

/** *Name* in environment: ids as they are, names so that they format nothing. */
export function describeAgentRow({ name, displayName, environmentName, environmentId }: InventoryRow): string {
  const shown = displayName === name ? '' : toMrkdwnName(displayName, MAX_NAME_LENGTH);
  const id = environmentId === undefined ? undefined : toMrkdwnLine(environmentId, MAX_NAME_LENGTH);
  const where = environmentName === undefined ? id : toMrkdwnName(environmentName, MAX_NAME_LENGTH);
  return `*${shown || toMrkdwnLine(name, MAX_NAME_LENGTH)}*${where === undefined ? '' : ` in ${where}`}`;
}

/** Past this nobody turns all of them. */
const MANY_PAGES = 20;

export function adviseOnManyPages(list: ListName, pageCount: number): string[] {
  const what = list === 'environments' || list === 'usage' ? 'an environment' : 'an agent';
  return pageCount > MANY_PAGES
    ? [`To find ${what} sooner, type part of its name: \`/assistant-admin ${list} part of the name\`.`]
    : [];
}

/** Of every list but that of agents, which alone has filters. Begins with a space. */
export function adviseOnNoHit(list: ListName, query: string): string {
  if (query === '') return '';
  if (hasFilter(query)) return ' Only `/assistant-admin agents` has filters; here, type part of the name.';
  return ` Try part of the name, or \`/assistant-admin ${list}\` for all.`;
}

export function describeOwnerAndHarness({ ownerId, isHarness }: InventoryRow): string {
  return `Owner: ${describeOwner(ownerId)} · Harness agent: ${describeHarness(isHarness)}`;
}

/** A person in the directory, by id, which formats nothing as it is: Slack does not know it. */
export function describeOwner(ownerId: string | undefined): string {
  return ownerId === undefined ? 'not told' : toMrkdwnName(ownerId, 80);
}

function describeHarness(isHarness: InventoryRow['isHarness']): string {
  if (isHarness === 'unknown') return 'unknown';
  return isHarness ? 'yes' : 'no';
}
