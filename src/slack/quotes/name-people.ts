import type { Question } from '../../conversation/question.ts';
import { withinTime } from '../../time-limit.ts';
import type { Channels } from '../channels.ts';
import type { People } from '../people.ts';
import type { Groups } from '../user-groups.ts';

/** Names by the id of a person, a channel or a user group. Those without a name here keep their id. */
export type Names = ReadonlyMap<string, string>;

/** Who knows the names. */
export type Namers = {
  people: Pick<People, 'known' | 'profile'>;
  channels: Pick<Channels, 'look'>;
  groups: Pick<Groups, 'handles'>;
};

/** Whose question it is. */
type Asking = Pick<Question, 'workspace' | 'asker'>;

/** Each costs a call, once in ten minutes. The others keep their ids, which also tell people apart. */
const MAX_CALLS = 3;

/** The longest time to wait for names. */
const WAIT_MS = 1_500;

/**
 * The display names of people, and the names of public channels: all that are cached, and the first few of the others.
 * Also the handles of user groups: of all with one call an hour. Never throws.
 */
export async function namePeople(ids: readonly string[], asking: Asking, namers: Namers): Promise<Names> {
  const { people, channels } = namers;
  const { workspace } = asking;
  const names = new Map<string, string>();
  for (const id of ids) {
    const profile = people.known(workspace, id);
    if (profile) names.set(id, profile.name);
  }
  const groups = ids.filter((id) => id.startsWith('S'));
  const wanted = [...new Set(ids)].filter((id) => !names.has(id) && !groups.includes(id)).slice(0, MAX_CALLS);
  const lookUp = async (id: string) => {
    const found: Promise<{ name?: string }> = id.startsWith('C')
      ? channels.look(workspace, id, 'extra')
      : people.profile(workspace, id, { importance: 'extra' });
    const { name } = await found.catch(() => ({ name: undefined }));
    if (name !== undefined) names.set(id, name);
  };
  const nameGroups = async () => {
    const handles = await readHandles(asking, namers);
    for (const id of groups) names.set(id, handles.get(id) ?? id);
  };
  const looking = [...wanted.map(lookUp), ...(groups.length > 0 ? [nameGroups()] : [])];
  if (looking.length > 0) await withinTime(WAIT_MS, Promise.all(looking), () => undefined);
  // A copy, so that names that arrive later change nothing.
  return new Map(names);
}

/** With the token of an organisation, Slack has to be told in which team: the asker's. */
async function readHandles({ workspace, asker }: Asking, { people, groups }: Namers): Promise<Names> {
  const homeTeam = workspace.startsWith('E') ? people.known(workspace, asker.user)?.homeTeam : undefined;
  if (workspace.startsWith('E') && !homeTeam) return new Map();
  return groups.handles({ workspace, homeTeam }).catch(() => new Map());
}

/** A text with the names of those whom it mentions. Never throws. */
export async function nameMentioned(text: string, asking: Asking, namers: Namers): Promise<string> {
  const ids = findMentioned(text);
  return ids.length === 0 ? text : withNames(text, await namePeople(ids, asking, namers));
}

/**
 * People, user groups and channels, as read-message.ts writes them. What people write like a group, such as `@SPRINT2026`,
 * has no name here, and stays.
 */
const MENTION = /@([UW][A-Z0-9]{2,}|S(?=[A-Z]*\d)[A-Z0-9]{7,})\b|#(C[A-Z0-9]{8,})\b/g;

/** Puts names in place of the ids of those mentioned in a text. */
export function withNames(text: string, names: Names): string {
  return text.replace(MENTION, (mention: string, id?: string, channel = '') => {
    const name = names.get(id ?? channel);
    return name === undefined ? mention : `${mention.charAt(0)}${name}`;
  });
}

/** The ids of the people, user groups and channels mentioned in a text. */
export function findMentioned(text: string): string[] {
  return [...text.matchAll(MENTION)].map(([, id, channel = '']) => id ?? channel);
}
