import { withinTime } from '../../time-limit.ts';
import type { Channels } from '../channels.ts';
import type { People } from '../people.ts';

/** Names by the id of a person or a channel. Those without a name here keep their id. */
export type Names = ReadonlyMap<string, string>;

/** Who knows the names. */
export type Namers = { people: Pick<People, 'known' | 'profile'>; channels: Pick<Channels, 'look'> };

/** Each costs a call, once in ten minutes. The others keep their ids, which also tell people apart. */
const MAX_CALLS = 3;

/** The longest time to wait for names. */
const WAIT_MS = 1_500;

/**
 * The display names of people, and the names of public channels: all that are cached, and the first few of the others.
 * Never throws.
 */
export async function namePeople(
  ids: readonly string[],
  workspace: string,
  { people, channels }: Namers,
): Promise<Names> {
  const names = new Map<string, string>();
  for (const id of ids) {
    const profile = people.known(workspace, id);
    if (profile) names.set(id, profile.name);
  }
  const wanted = [...new Set(ids)].filter((id) => !names.has(id)).slice(0, MAX_CALLS);
  const lookUp = async (id: string) => {
    const found: Promise<{ name?: string }> = id.startsWith('C')
      ? channels.look(workspace, id, 'extra')
      : people.profile(workspace, id, { importance: 'extra' });
    const { name } = await found.catch(() => ({ name: undefined }));
    if (name !== undefined) names.set(id, name);
  };
  if (wanted.length > 0) await withinTime(WAIT_MS, Promise.all(wanted.map(lookUp)), () => undefined);
  // A copy, so that names that arrive later change nothing.
  return new Map(names);
}

/** A text with the names of those whom it mentions. Never throws. */
export async function nameMentioned(text: string, workspace: string, namers: Namers): Promise<string> {
  const ids = findMentioned(text);
  return ids.length === 0 ? text : withNames(text, await namePeople(ids, workspace, namers));
}

/** People and channels, as read-message.ts writes them. */
const MENTION = /@([UW][A-Z0-9]{2,})\b|#(C[A-Z0-9]{8,})\b/g;

/** Puts names in place of the ids of those mentioned in a text. */
export function withNames(text: string, names: Names): string {
  return text.replace(MENTION, (mention: string, user?: string, channel = '') => {
    const name = names.get(user ?? channel);
    return name === undefined ? mention : `${mention.charAt(0)}${name}`;
  });
}

/** The ids of the people and channels mentioned in a text. */
export function findMentioned(text: string): string[] {
  return [...text.matchAll(MENTION)].map(([, user, channel = '']) => user ?? channel);
}
