import { type Document, isAlias, isMap, isSeq, type Node, parseDocument, visit, type YAMLSeq } from 'yaml';
import { type DraftedEnvironment, toAllocationsForm, toDraftNode } from './draft-entries.ts';
import { findAdditions, toExceptions } from './merge-overlay.ts';
import type { AddedEnvironment, Additions, AgentLimitRecord, OverlayRecord } from './overlay.ts';
import { type ApprovedException, isExpired, type Register, toIdKey, UNDECIDED } from './register.ts';

/** `drafts`: entries that somebody is to decide about. */
export type ExportedAdditions = Pick<Additions, 'environments' | 'agents' | 'exceptions'> & {
  drafts?: DraftedEnvironment[];
};

/** What is to be written into the file. Expired exceptions are left out: they change nothing any more. */
export function findExported(
  register: Register,
  records: readonly OverlayRecord[],
  now: number,
): ExportedAdditions & { count: number } {
  const { environments, agents, exceptions: all } = findAdditions(register, records);
  const exceptions = all.filter(({ expiresOn }) => !isExpired(expiresOn, now));
  return { environments, agents, exceptions, count: environments.length + agents.length + exceptions.length };
}

/**
 * The text of the register with the decisions from Slack written into it: reading it gives what mergeOverlay gives,
 * except for expired exceptions. Comments and order stay; only spacing may change, and only if something is added. `text`
 * is the register that the additions are for.
 */
export function exportRegister(text: string, additions: ExportedAdditions): string {
  const { environments, agents, exceptions, drafts = [] } = additions;
  if (environments.length + agents.length + exceptions.length + drafts.length === 0) return text;
  const document = parseDocument(text);
  const list = openList(document, document.contents, 'environments');
  const undecided = findUndecided(document, list);
  for (const added of environments) {
    const node = toEnvironmentNode(document, added);
    const place = undecided.get(toIdKey(added.record.environmentId));
    // What a draft says of an environment was never decided, so all of it gives way.
    if (place === undefined) list.add(node);
    else list.items[place] = node;
  }
  for (const drafted of drafts) list.add(toDraftNode(document, drafted));
  const nodes = new Map(list.items.map((node) => [readId(document, node), node]));
  for (const record of agents) {
    openList(document, nodes.get(toIdKey(record.environmentId)), 'agents').add(toAgentNode(document, record));
  }
  for (const record of exceptions) {
    const entries = openList(document, nodes.get(toIdKey(record.environmentId)), 'exceptions');
    for (const exception of toExceptions(record)) entries.add(toExceptionNode(document, exception));
  }
  return document.toString({ lineWidth: 0 });
}

/** The places of the entries that nobody has decided yet, by their id. */
function findUndecided(document: Document, list: YAMLSeq): Map<string, number> {
  const places = list.items.map((item, place): [string, number] | undefined => {
    const map = resolve(document, item);
    return isMap(map) && map.get('classification') === UNDECIDED ? [readId(document, item), place] : undefined;
  });
  return new Map(places.filter((place) => place !== undefined));
}

function openList(document: Document, owner: unknown, key: string): YAMLSeq {
  const map = resolve(document, owner);
  if (!isMap(map)) throw new TypeError('the text is not the one that the register was read from');
  const current = map.get(key, true);
  if (isSeq(current)) {
    unshare(document, current);
    if (current.items.length === 0) current.flow = false;
    return current;
  }
  const shared = resolve(document, current);
  const list = isSeq(shared) ? cloneUnnamed(shared) : document.createNode([]);
  map.set(key, list);
  return list as YAMLSeq;
}

/** Others that share a list through its anchor get a copy each, so that nothing is added to theirs. */
function unshare(document: Document, list: YAMLSeq): void {
  const { anchor } = list;
  if (anchor === undefined) return;
  visit(document, { Alias: (_, alias) => (alias.source === anchor ? cloneUnnamed(list) : undefined) });
  delete list.anchor;
}

function cloneUnnamed(list: YAMLSeq): YAMLSeq {
  const clone = list.clone() as YAMLSeq;
  delete clone.anchor;
  return clone;
}

function resolve(document: Document, node: unknown): unknown {
  return isAlias(node) ? node.resolve(document) : node;
}

function readId(document: Document, node: unknown): string {
  const map = resolve(document, node);
  return isMap(map) ? toIdKey(String(map.get('id'))) : '';
}

function toEnvironmentNode(document: Document, { record }: AddedEnvironment): Node {
  const { environmentId, name, classification, owners, allocations, unnamedAgents } = record;
  const node = document.createNode({
    id: environmentId,
    ...(name === undefined ? {} : { name }),
    classification,
    ...(owners.length === 0 ? {} : { owners }),
    ...(allocations === undefined ? {} : { allocations: toAllocationsForm(allocations) }),
    ...(unnamedAgents === undefined ? {} : { unnamedAgents }),
  });
  return withComment(node, record);
}

function toAgentNode(document: Document, record: AgentLimitRecord): Node {
  const { agentResourceId, name, limit } = record;
  const node = document.createNode({ id: agentResourceId, ...(name === undefined ? {} : { name }), ...limit });
  return withComment(node, record);
}

function toExceptionNode(document: Document, { agent, accepts, reason, approver, expiresOn }: ApprovedException): Node {
  const { setting, currency, value } = accepts;
  const about = currency === undefined ? { agent } : { currency };
  return document.createNode({ ...about, setting, value, reason, approver, expires: expiresOn });
}

/** The file has no field for the reason of a decision, so it becomes a comment. */
function withComment(node: Node, { at, by, reason }: OverlayRecord): Node {
  node.commentBefore = ` Decided in Slack on ${new Date(at).toISOString().slice(0, 10)} by ${by.user}: ${reason}`;
  return node;
}
