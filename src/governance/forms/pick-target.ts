// From what was typed after a command to the one agent or environment that it names.
import {
  findAgent,
  type InventoryRow,
  matchEnvironments,
  type NamedEnvironment,
  nameEnvironments,
  readInventory,
  toComparable,
} from '../inventory/inventory.ts';
import { toSeenAgent } from '../inventory/seen-agent.ts';
import type { GovernanceServices } from '../services.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { Opened } from '../shell/modal.ts';
import { findOwner } from './look-at-agent.ts';
import { buildAgentChoice, buildEnvironmentChoice, type Picking } from './pick-views.ts';
import type { PickedAgent, PickedEnvironment } from './target-buttons.ts';

/** What a command looks for, and where several are offered. `hasAmount`: an amount may follow the name. */
export type Search = { topic: Picking['topic']; button: Picking['button']; hasAmount: boolean };

type PickServices = Pick<GovernanceServices, 'inventories' | 'known' | 'owners'>;

type List<Row> = { rows: readonly Row[]; truncated: boolean };

/** Undefined where there is none, which the window says, or several, which it offers. */
export async function pickAgent(
  text: string,
  how: Search,
  opened: Opened,
  services: PickServices,
): Promise<PickedAgent | undefined> {
  return chooseAgent(text, await listAgents(opened, services), how, opened, services);
}

/** The same for a stop: from what is known, however slow the service. It is asked where that knows no such agent. */
export async function pickKnownAgent(
  text: string,
  how: Search,
  opened: Opened,
  services: PickServices,
): Promise<PickedAgent | undefined> {
  const known = await services.known.read().catch(() => undefined);
  const isThere = known && findAgent(known.rows, text).kind !== 'none';
  if (!isThere) return pickAgent(text, how, opened, services);
  return chooseAgent(text, { rows: known.rows, truncated: false }, how, opened, services);
}

/** Undefined where there is none, which the window says, or several, which it offers. */
export async function pickEnvironment(
  text: string,
  how: Search,
  opened: Opened,
  services: PickServices,
): Promise<PickedEnvironment | undefined> {
  return chooseEnvironment(text, await listEnvironments(opened, services), how, opened, services);
}

export async function pickKnownEnvironment(
  text: string,
  how: Search,
  opened: Opened,
  services: PickServices,
): Promise<PickedEnvironment | undefined> {
  const known = await services.known.read().catch(() => undefined);
  const isThere = known && matchEnvironments(known.environments, text).length > 0;
  if (!isThere) return pickEnvironment(text, how, opened, services);
  return chooseEnvironment(text, { rows: known.environments, truncated: false }, how, opened, services);
}

async function listAgents({ session, caller }: Opened, { inventories }: PickServices): Promise<List<InventoryRow>> {
  return readInventory(inventories.toSession(session, caller, { isFresh: true }));
}

async function listEnvironments(
  { session, caller }: Opened,
  { inventories }: PickServices,
): Promise<List<NamedEnvironment>> {
  const { rows, truncated } = await inventories.toSession(session, caller, { isFresh: true }).findEnvironments();
  return { rows: nameEnvironments(rows), truncated };
}

async function chooseAgent(
  text: string,
  { rows, truncated }: List<InventoryRow>,
  { hasAmount, ...how }: Search,
  { modal, caller, replyTo }: Opened,
  services: PickServices,
): Promise<PickedAgent | undefined> {
  const names = rows.flatMap(({ displayName, name, agentResourceId }) => [displayName, name, agentResourceId]);
  const { name, amount: typed } = hasAmount ? splitAmount(text, names) : { name: text, amount: undefined };
  const match = findAgent(rows, name);
  if (match.kind === 'none') {
    await modal.showProblem(describeMissing('agent', name, truncated));
    return undefined;
  }
  if (match.kind === 'several') {
    const owners = await nameOwners(match.agents, caller, services);
    await modal.show(buildAgentChoice(match.agents, { ...how, query: name, typed, replyTo, owners }));
    return undefined;
  }
  const agent = toSeenAgent(match.agent);
  if (agent === undefined) await modal.showProblem(describeUngoverned(match.agent));
  return agent && { ...agent, typed };
}

async function chooseEnvironment(
  text: string,
  { rows, truncated }: List<NamedEnvironment>,
  { hasAmount, ...how }: Search,
  { modal, caller, replyTo }: Opened,
  services: PickServices,
): Promise<PickedEnvironment | undefined> {
  const names = rows.flatMap((one) => [one.name, one.environmentId]);
  const { name, amount: typed } = hasAmount ? splitAmount(text, names) : { name: text, amount: undefined };
  const matches = name.trim() === '' ? [] : matchEnvironments(rows, name);
  const [environment] = matches;
  if (environment === undefined) {
    await modal.showProblem(describeMissing('environment', name, truncated));
    return undefined;
  }
  if (matches.length === 1) return { environmentId: environment.environmentId, name: environment.name, typed };
  const owners = await nameOwners(matches, caller, services);
  await modal.show(buildEnvironmentChoice(matches, { ...how, query: name, typed, replyTo, owners }));
  return undefined;
}

/** No more are shown to choose from. */
const MOST = 20;

/** Each owner is looked up once. */
async function nameOwners(
  rows: readonly { ownerId: string | undefined }[],
  caller: Caller,
  services: PickServices,
): Promise<Map<string, string | undefined>> {
  const ids = [...new Set(rows.slice(0, MOST).flatMap(({ ownerId }) => ownerId ?? []))];
  const users = await Promise.all(ids.map((ownerId) => findOwner({ ownerId }, caller, services)));
  return new Map(ids.map((id, at) => [id, users[at]]));
}

function describeMissing(what: 'agent' | 'environment', text: string, truncated: boolean): string {
  const isPart = truncated ? ' The service did not list everything, so it may exist all the same.' : '';
  return `No ${what} fits “${text.slice(0, 100)}”.${isPart} Try part of its name, or find it with /assistant-admin ${what}s.`;
}

function describeUngoverned({ displayName }: InventoryRow): string {
  return `The service does not say in which environment “${displayName.slice(0, 100)}” is, so it can be neither limited nor stopped from here. Use the admin console.`;
}

/** `amount`: as it was typed, with its separators: perhaps no number. */
export type NamedAmount = { name: string; amount?: string };

/** Thousands may be separated by commas or by spaces. */
const AMOUNT = /^(?:(?:[1-9]\d{0,2}(?:[ ,]\d{3})+|0|[1-9]\d*)(?:[.,]\d+)?|none|no limit)$/i;

/** Was meant as an amount: 5k, -5, 1'000, 1.000,00, .5, +5, $20. A form says what is wrong with it. */
const MEANT = /^[-−–+$€]?\s?[.,]?\d[\d.,'’ _a-z%€$]*$/i;

/**
 * What is typed after a command: a name, and perhaps a number behind it. Names end with numbers of their own: as much as
 * occurs in one of `names` is the name.
 */
export function splitAmount(text: string, names: readonly string[]): NamedAmount {
  const known = names.map(toComparable);
  const isName = (part: string) => known.some((name) => name.includes(toComparable(part)));
  const words = text.trim().split(/\s+/);
  const splits = words.slice(1).map((_, index) => ({
    name: unquote(words.slice(0, index + 1).join(' ')),
    amount: words.slice(index + 1).join(' '),
  }));
  if (isName(text)) return { name: text };
  const numbers = splits.filter(({ amount }) => AMOUNT.test(amount));
  const meant = splits.filter(({ name, amount }) => MEANT.test(amount) && isName(name));
  return numbers.findLast(({ name }) => isName(name)) ?? meant.at(-1) ?? numbers[0] ?? { name: text };
}

function unquote(name: string): string {
  return /^["“”„«'‘‚`](.+)["“”»'’‘`]$/.exec(name)?.[1] ?? name;
}
