/** What the composer offers while somebody types: people after `@`, channels after `#`, commands after a slash. */
import type { Sight } from '../sight.ts';

type Completion = { words: string; hint: string };

export type Completing = { from: number; offered: Completion[] };

const MOST = 8;

/** `caret`: how far the text counts. Undefined where there is nothing to complete. */
export function completeTyped(
  typed: string,
  caret: number,
  { sight, channel }: { sight: Sight; channel: string },
): Completing | undefined {
  const before = typed.slice(0, caret);
  if (/^\/[\w-]*$/.test(before)) return offer(0, before, toCommands(sight));
  const started = /(?:^|\s)([@#][^@#\n]{0,30})$/.exec(before)?.[1];
  if (started === undefined) return undefined;
  return offer(caret - started.length, started, started.startsWith('@') ? toPeople(sight, channel) : toChannels(sight));
}

function offer(from: number, started: string, all: Completion[]): Completing | undefined {
  const wanted = started.toLowerCase();
  const found = all.filter(({ words }) => words.toLowerCase().startsWith(wanted));
  // What is whole stands as it is: Enter would put a longer one in its place.
  const isWhole = found.some(({ words }) => words.toLowerCase() === wanted);
  const offered = found.slice(0, MOST);
  return isWhole || offered.length === 0 ? undefined : { from, offered };
}

function toCommands({ commands }: Sight): Completion[] {
  return commands.map(({ name, description, hint }) => ({ words: name, hint: `${description}: ${hint}` }));
}

function toPeople({ conversations, names, people, app }: Sight, channel: string): Completion[] {
  const members = conversations.find(({ id }) => id === channel)?.members ?? [];
  const others = [app.id, ...people.map(({ id }) => id)].filter((id) => !members.includes(id));
  const toCompletion = (hint: string) => (id: string) => ({
    words: `@${names[id] ?? id}`,
    hint: [id === app.id ? 'app' : '', hint].filter(Boolean).join(', '),
  });
  const sorted = [...members].sort((a, b) => Number(b === app.id) - Number(a === app.id));
  return [...sorted.map(toCompletion('')), ...others.map(toCompletion('not in this conversation'))];
}

function toChannels({ conversations }: Sight): Completion[] {
  return conversations
    .filter(({ kind }) => kind === 'public' || kind === 'private')
    .map(({ name, kind }) => ({ words: `#${name}`, hint: kind === 'private' ? 'private' : '' }));
}
