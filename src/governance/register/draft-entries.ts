// Entries of a register that are drafted from what was found, for somebody to decide about.
import { type Document, isCollection, isSeq, type Node, type YAMLMap } from 'yaml';
import { type ApprovedLimit, type StatedAllocation, UNDECIDED } from './register.ts';

/** Names come from outside. */
export type DraftedEnvironment = {
  id: string;
  /** Undefined where it has none. */
  name: string | undefined;
  /** Ids in the directory. */
  owners: string[];
  /** Undefined where they could not be read. */
  allocations: StatedAllocation[] | 'none' | undefined;
  /** Those with a limit that is known. */
  agents: { id: string; name: string | undefined; limit: ApprovedLimit }[];
  /** What else is to be known about it, one line each. */
  notes: string[];
};

/** As a whole register, where there is no file yet. `day`: YYYY-MM-DD. */
export function buildEmptyRegister(day: string): string {
  return `# Drafted on ${day} (UTC) from what was found. Nothing of an entry counts while its classification is ${UNDECIDED}:
# write maker-development or funded-production in its place, and look at what the entry then approves.
schema: 1
environments: []
`;
}

/** One line is one message's line at most, and what is written into a register is one line. */
const MAX_LINE_LENGTH = 200;

/** Its lists are on one line each: a draft may have hundreds of entries. */
export function toDraftNode(document: Document, drafted: DraftedEnvironment): Node {
  const { id, name, owners, allocations, agents, notes } = drafted;
  const node = document.createNode({
    id,
    ...(name === undefined ? {} : { name: toLine(name) }),
    classification: UNDECIDED,
    ...(owners.length === 0 ? {} : { owners }),
    ...(allocations === undefined ? {} : { allocations: toAllocationsForm(allocations) }),
    ...(agents.length === 0 ? {} : { agents: agents.map(toAgentForm) }),
  }) as YAMLMap;
  for (const key of ['owners', 'allocations']) toOneLine(node.get(key, true));
  const list = node.get('agents', true);
  if (isSeq(list)) list.items.forEach(toOneLine);
  node.commentBefore = [toLine(name ?? id), ...notes.map(toLine), DECIDE].map((line) => ` ${line}`).join('\n');
  return node;
}

const DECIDE = `DECIDE: write maker-development or funded-production in the place of ${UNDECIDED}.`;

export function toAllocationsForm(allocations: StatedAllocation[] | 'none'): object | 'none' {
  if (allocations === 'none') return allocations;
  return Object.fromEntries(
    allocations.map(({ currencyType, allocated, rules }) => {
      return [currencyType, { ...(allocated === undefined ? {} : { allocated }), rules: toStated(rules) }];
    }),
  );
}

function toStated(rules: StatedAllocation['rules']): object {
  return Object.fromEntries(Object.entries(rules).filter(([, state]) => state !== undefined));
}

function toAgentForm({ id, name, limit }: DraftedEnvironment['agents'][number]): object {
  return { id, ...(name === undefined ? {} : { name: toLine(name) }), ...limit };
}

function toOneLine(node: unknown): void {
  if (isCollection(node)) node.flow = true;
}

/** Not empty: the file takes no empty text. */
function toLine(text: string): string {
  const line = text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_LINE_LENGTH)
    .toWellFormed();
  return line === '' ? '-' : line;
}
