import { withinTime } from '../../time-limit.ts';
import type { People } from '../people.ts';

/** Names by user id. People without a name here keep their id. */
export type Names = ReadonlyMap<string, string>;

/** Each costs a call, once in ten minutes. The others keep their ids, which also tell people apart. */
const MAX_CALLS = 3;

/** The longest time to wait for names. */
const WAIT_MS = 1_500;

/** The display names of people: all that are cached, and the first few of the others. Never throws. */
export async function namePeople(
  ids: readonly string[],
  workspace: string,
  people: Pick<People, 'known' | 'profile'>,
): Promise<Names> {
  const names = new Map<string, string>();
  for (const id of ids) {
    const profile = people.known(workspace, id);
    if (profile) names.set(id, profile.name);
  }
  const wanted = [...new Set(ids)].filter((id) => !names.has(id)).slice(0, MAX_CALLS);
  const lookUp = async (id: string) => {
    const profile = await people.profile(workspace, id, { importance: 'extra' }).catch(() => undefined);
    if (profile) names.set(id, profile.name);
  };
  if (wanted.length > 0) await withinTime(WAIT_MS, Promise.all(wanted.map(lookUp)), () => undefined);
  // A copy, so that names that arrive later change nothing.
  return new Map(names);
}

/** Puts names in place of the ids of people mentioned in a text. */
export function withNames(text: string, names: Names): string {
  return text.replace(/@([UW][A-Z0-9]{2,})\b/g, (mention, id: string) => {
    const name = names.get(id);
    return name === undefined ? mention : `@${name}`;
  });
}

/** The ids of the people mentioned in a text. */
export function findMentioned(text: string): string[] {
  return [...text.matchAll(/@([UW][A-Z0-9]{2,})\b/g)].map(([, id = '']) => id);
}
