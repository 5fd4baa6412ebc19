// Finds the one agent or environment that was typed after a command, perhaps with an amount after its name.
import type { ModalView, SectionBlock } from '@slack/types';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { english } from '../../languages/english.ts';
import { buildButton, buildSection, toMrkdwnLine, toMrkdwnName } from '../../slack/views/content.ts';
import { buildModal, type ModalTopic } from '../../slack/views/modal.ts';
import {
  type InventoryRow,
  matchAgents,
  matchEnvironments,
  type NamedEnvironment,
  nameEnvironments,
  readInventory,
  toAgentCandidates,
  toComparable,
  toEnvironmentCandidates,
  toSeenAgent,
} from '../inventory/inventory.ts';
import type { Inventory } from '../inventory/inventory-cache.ts';
import { describeAgent, describeEnvironment, describeNone } from '../inventory/inventory-views.ts';
import type { KnownRows } from '../inventory/known-inventory.ts';
import type { GovernanceServices } from '../services.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { Opened } from '../shell/modal.ts';
import { formatCredits } from '../shell/numbers.ts';
import { describeOwner, findOwner, soon } from './now-words.ts';
import {
  encodeAgent,
  encodeEnvironment,
  type FORM_ACTIONS,
  type PickedAgent,
  type PickedEnvironment,
} from './target-buttons.ts';

type List<Row> = { rows: readonly Row[]; truncated: boolean };

type Owned = { ownerId?: string | undefined };

/** What may be picked. */
export type PickKind<Row extends Owned, Picked> = {
  noun: 'agent' | 'environment';
  list(session: AdminSession): Promise<List<Row>>;
  /** For a search while somebody types: the words of the field, and what is searched. */
  search: { label: string; hint: string; list(session: AdminSession): Promise<Inventory> };
  ofKnown(known: KnownRows): readonly Row[];
  namesOf(row: Row): string[];
  match(rows: readonly Row[], text: string): Row[];
  /** A sentence in plain text if the row cannot be picked. */
  toPicked(row: Row): Picked | string;
  /** The row in a list of several; mrkdwn. `owner`: see describeOwner. */
  describe(row: Row, owner: string): string;
  /** The value of the button. Undefined: it does not fit into one. */
  encode(picked: Picked & { typed: string | undefined }): string | undefined;
};

const MAX_ID = 100;

export const AGENTS: PickKind<InventoryRow, PickedAgent> = {
  noun: 'agent',
  list: readInventory,
  search: {
    label: 'Agent',
    hint: 'Its name, its id and the name of its environment are searched. New agents may take a while to be listed.',
    async list(session) {
      const { rows, truncated } = await readInventory(session);
      return { candidates: toAgentCandidates(rows), truncated };
    },
  },
  ofKnown: ({ rows }) => rows,
  namesOf: ({ displayName, name, agentResourceId }) => [displayName, name, agentResourceId],
  match: matchAgents,
  toPicked: (row) => toSeenAgent(row) ?? describeUngoverned(row),
  describe({ name: agentId, displayName: name, environmentName, environmentId }, owner) {
    const where = environmentId === undefined ? 'unknown' : toMrkdwnLine(environmentId, MAX_ID);
    const agent = describeAgent({ agentId, name, environmentName, environmentId: environmentId ?? '?' });
    return `${agent}\n${toMrkdwnLine(agentId, MAX_ID)} · environment ${where} · ${owner}`;
  },
  encode: encodeAgent,
};

export const ENVIRONMENTS: PickKind<NamedEnvironment, PickedEnvironment> = {
  noun: 'environment',
  list: listEnvironments,
  search: {
    label: 'Environment',
    hint: 'Its name and its id are searched. New environments may take a while to be listed.',
    async list(session) {
      const { rows, truncated } = await listEnvironments(session);
      return { candidates: toEnvironmentCandidates(rows), truncated };
    },
  },
  ofKnown: ({ environments }) => environments,
  namesOf: ({ name, environmentId }) => [name, environmentId],
  match: matchEnvironments,
  toPicked: ({ environmentId, name }) => ({ environmentId, name }),
  describe: ({ environmentId, name }, owner) =>
    `${describeEnvironment(environmentId, name)}\n${toMrkdwnLine(environmentId, MAX_ID)} · ${owner}`,
  encode: encodeEnvironment,
};

async function listEnvironments(session: AdminSession): Promise<List<NamedEnvironment>> {
  const { rows, truncated } = await session.findEnvironments();
  return { rows: nameEnvironments(rows), truncated };
}

/**
 * How a command searches. `topic` and `button`: for the window that offers several. `hasAmount`: an amount may follow the
 * name. `isUrgent`: uses the inventory as last read, if something has the whole name there.
 */
export type Search = {
  topic: ModalTopic;
  button: { actionId: (typeof FORM_ACTIONS)[keyof typeof FORM_ACTIONS]; text: string };
  hasAmount: boolean;
  isUrgent?: boolean;
};

/** Undefined: the name fits none, which the window says, or several, which it offers. */
export async function pick<Row extends Owned, Picked>(
  kind: PickKind<Row, Picked>,
  text: string,
  how: Search,
  opened: Opened,
  services: GovernanceServices,
): Promise<(Picked & { typed?: string | undefined }) | undefined> {
  const { modal, caller } = opened;
  const list = await findList(kind, text, how, opened, services);
  const { name, typed, matches } = find(kind, text, how, list.rows);
  const [row] = matches;
  if (row === undefined) {
    await modal.showProblem(describeMissing(kind.noun, name, list));
    return undefined;
  }
  if (matches.length > 1) {
    const owners = await nameOwners(matches, caller, services);
    await modal.show(buildPickWindow(kind, matches, { ...how, query: name, typed, replyTo: opened.replyTo, owners }));
    return undefined;
  }
  const picked = kind.toPicked(row);
  if (typeof picked !== 'string') return { ...picked, typed };
  await modal.showProblem(picked);
  return undefined;
}

/** What the service lists now. If that takes too long or fails, the inventory as last read, if it has the name. */
async function findList<Row extends Owned, Picked>(
  kind: PickKind<Row, Picked>,
  text: string,
  how: Search,
  { openSession, caller }: Opened,
  { inventories, known }: GovernanceServices,
): Promise<List<Row>> {
  const session = await openSession();
  const before = await known.read().catch(() => undefined);
  const rows = before ? kind.ofKnown(before) : [];
  const { name, matches } = find(kind, text, how, rows);
  const isWhole = (row: Row) => kind.namesOf(row).some((one) => toComparable(one) === toComparable(name));
  // A newer one may fit better than a name of which it is a part.
  if (how.isUrgent && matches.some(isWhole)) return { rows, truncated: false };
  const listing = kind.list(inventories.toSession(session, caller, { isFresh: true }));
  const listed = await soon(listing);
  if (listed !== 'gap') return listed;
  return matches.length > 0 ? { rows, truncated: false } : listing;
}

function find<Row extends Owned, Picked>(
  kind: PickKind<Row, Picked>,
  text: string,
  { hasAmount }: Search,
  rows: readonly Row[],
): { name: string; typed: string | undefined; matches: Row[] } {
  const { name, amount } = hasAmount ? splitAmount(text, rows.flatMap(kind.namesOf)) : { name: text };
  return { name, typed: amount, matches: name.trim() === '' ? [] : kind.match(rows, name) };
}

/** `query`: what was typed. `typed`: an amount. `owners`: Slack user ids by ids in the directory. */
export type Picking = Pick<Search, 'topic' | 'button'> & {
  query: string;
  typed: string | undefined;
  replyTo: string;
  owners: ReadonlyMap<string, string | undefined>;
};

/** Offers the rows that the name fits. */
export function buildPickWindow<Row extends Owned, Picked>(
  kind: PickKind<Row, Picked>,
  rows: readonly Row[],
  { owners, typed, topic, query, button: { actionId, text }, replyTo }: Picking,
): ModalView {
  const toChoice = (row: Row): SectionBlock => {
    const owner = describeOwner({ ownerId: row.ownerId, owner: owners.get(row.ownerId ?? '') });
    const section = buildSection(kind.describe(row, owner));
    const picked = kind.toPicked(row);
    const value = typeof picked === 'string' ? undefined : kind.encode({ ...picked, typed });
    if (value === undefined) return section;
    return { ...section, accessory: buildButton(actionId, text, value) };
  };
  const count = formatCredits(rows.length);
  const intro = `${count} ${kind.noun}s fit “${toMrkdwnName(query, 100)}”. Which one do you mean?`;
  const more = rows.length - MOST;
  const frame = { id: `${topic.id}_choice`, title: `Which ${kind.noun}?`, metadata: replyTo };
  const blocks = [
    buildSection(intro),
    ...rows.slice(0, MOST).map(toChoice),
    ...(more > 0 ? [buildSection(`And ${formatCredits(more)} more: give the command with more of the name.`)] : []),
  ];
  return buildModal(frame, blocks, english);
}

/** With more to choose from, it is quicker to type more of the name. */
const MOST = 20;

/** Each owner is looked up once. */
async function nameOwners(
  rows: readonly Owned[],
  caller: Caller,
  services: GovernanceServices,
): Promise<Map<string, string | undefined>> {
  const ids = [...new Set(rows.slice(0, MOST).flatMap(({ ownerId }) => ownerId ?? []))];
  const users = await Promise.all(ids.map((ownerId) => findOwner({ ownerId }, caller, services)));
  return new Map(ids.map((id, at) => [id, users[at]]));
}

function describeMissing(
  noun: PickKind<Owned, unknown>['noun'],
  text: string,
  { rows, truncated }: List<Owned>,
): string {
  if (rows.length === 0 && !truncated) return describeNone(`${noun}s`);
  const isPart = truncated ? ' The service did not list everything, so it may exist all the same.' : '';
  return `No ${noun} fits “${text.slice(0, 100)}”.${isPart} Try part of its name, or find it with /assistant-admin ${noun}s.`;
}

function describeUngoverned({ displayName }: InventoryRow): string {
  return `The service does not say in which environment “${displayName.slice(0, 100)}” is, so it can be neither limited nor stopped from here. Use the admin console.`;
}

/** `amount`: as it was typed, perhaps not a number. */
export type NamedAmount = { name: string; amount?: string };

/** Thousands may be separated by commas or by spaces. */
const AMOUNT = /^(?:(?:[1-9]\d{0,2}(?:[ ,]\d{3})+|0|[1-9]\d*)(?:[.,]\d+)?|none|no limit)$/i;

/** Probably meant as an amount: 5k, -5, 1'000, 1.000,00, .5, +5, $20. The form says what is wrong with it. */
const MEANT = /^[-−–+$€]?\s?[.,]?\d[\d.,'’ _a-z%€$]*$/i;

/**
 * Splits the name from an amount after it. A name may itself end with a number, so the longest part that occurs in one of
 * `names` is the name.
 */
export function splitAmount(text: string, names: readonly string[]): NamedAmount {
  // One text, because there may be thousands of names and of parts.
  const known = names.map(toComparable).join('\n');
  const isName = (part: string) => known.includes(toComparable(part));
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

/** `env:Burning`, or with quotes around the name. Undefined: it names an agent. */
export function readEnvironmentName(text: string): string | undefined {
  const name = /^env(?:ironment)?:\s*(.+)$/i.exec(text.trim())?.[1];
  return name && unquote(name);
}

function unquote(name: string): string {
  return /^["“”„«»「'‘‚`](.+)["“”«»」'’‘`]$/.exec(name)?.[1] ?? name;
}
