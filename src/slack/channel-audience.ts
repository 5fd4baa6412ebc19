import { LRUCache } from 'lru-cache';
import type { Audience } from '../conversation/question.ts';
import type { Log } from '../log.ts';
import { withinTime } from '../time-limit.ts';
import type { Channels } from './channels.ts';
import { createGuests } from './guests.ts';
import type { FindInstallation } from './installation.ts';
import { type ListPosition, readPage } from './read-pages.ts';
import { MAX_PEOPLE_PAGE } from './web/limits.ts';
import type { CallSlack } from './web/methods.ts';
import { SlackUnavailableError, toCallCode } from './web/slack-errors.ts';

/** What Slack's events say, for all replicas. */
export type AudienceChange =
  | { kind: 'joined' | 'left'; workspace: string; channel: string; user: string }
  | { kind: 'guest' | 'member'; workspace: string; user: string };

/** How long a question waits for the answer. */
const WAIT_MS = 5_000;

/** The events of joining and leaving keep the list fresh. This is for events that got lost. */
const LIST_TTL_MS = 10 * 60_000;

/** With at most a thousand people each. Larger channels count as unknown. */
const MAX_PAGES = 100;

/** Ids in all lists together, about 100 bytes each. */
const MAX_IDS = 1_000_000;

/** People who joined while the list was read may be missing from it. */
const JOINED_TTL_MS = 60_000;

const MAX_JOINED = 10_000;

type AudienceRequest = { workspace: string; channel: string };

/** The members of a channel. `found`: the result for all of them, until we learn something new about a person. */
type Readers = { users: Set<string>; found?: { audience: 'members' | 'guests'; findings: object } | undefined };

type Ports = {
  call: CallSlack;
  findInstallation: FindInstallation;
  channels: Pick<Channels, 'look'>;
  now(): number;
  log: Log;
};

export type ChannelAudience = ReturnType<typeof createChannelAudience>;

/** Who reads what is posted in a channel. */
export function createChannelAudience(ports: Ports) {
  const { call, channels, now, log } = ports;
  const guests = createGuests(ports);
  const lists = new LRUCache<string, Readers, AudienceRequest>({
    maxSize: MAX_IDS,
    sizeCalculation: ({ users }) => users.size + 1,
    ttl: LIST_TTL_MS,
    perf: { now },
    ignoreFetchAbort: true,
    fetchMethod: (_key, _known, { context }) => readMembers(context),
  });
  const joinedLately = new LRUCache<string, Set<string>>({
    maxSize: MAX_JOINED,
    sizeCalculation: () => 1,
    ttl: JOINED_TTL_MS,
    perf: { now },
  });

  async function readMembers({ workspace, channel }: AudienceRequest): Promise<Readers> {
    const users = new Set<string>();
    const position: ListPosition = { limit: MAX_PEOPLE_PAGE, pages: 0 };
    do {
      const answer = await readPage(position, (page) => call('conversations.members', workspace, { channel, ...page }));
      for (const user of answer.members ?? []) users.add(user);
    } while (position.cursor && position.pages < MAX_PAGES);
    if (position.cursor) throw new SlackUnavailableError('conversations.members');
    return { users: withJoined(toKey(workspace, channel), users) };
  }

  function withJoined(key: string, users: Set<string>): Set<string> {
    return users.union(joinedLately.get(key) ?? new Set<string>());
  }

  async function read(workspace: string, channel: string): Promise<Audience> {
    const { isShared, isMember, teams = [] } = await channels.look(workspace, channel);
    if (isShared) return 'guests';
    if (!isMember) return 'unknown';
    const key = toKey(workspace, channel);
    const readers = lists.get(key) ?? (await lists.forceFetch(key, { context: { workspace, channel } }));
    const isNew = readers.found === undefined;
    if (judge(workspace, readers) === 'guests') return 'guests';
    // Call this for a new list even if everybody is known: it also lists people again from time to time.
    if (isNew || !readers.found) await guests.learn(workspace, [...readers.users], teams);
    // Somebody may have joined meanwhile, even if the list was dropped because somebody left.
    return judge(workspace, lists.peek(key) ?? { users: withJoined(key, readers.users) });
  }

  function judge(workspace: string, readers: Readers): Audience {
    const findings = guests.findings(workspace);
    if (readers.found?.findings !== findings) readers.found = undefined;
    if (readers.found) return readers.found.audience;
    const audience = judgeAll(workspace, readers.users);
    if (audience !== 'unknown') readers.found = { audience, findings };
    return audience;
  }

  function judgeAll(workspace: string, users: Set<string>): Audience {
    let audience: Audience = 'members';
    for (const user of users) {
      const isGuest = guests.isGuest(workspace, user);
      if (isGuest) return 'guests';
      if (isGuest === undefined) audience = 'unknown';
    }
    return audience;
  }

  return {
    /** Never throws. A slow read counts as unknown. It continues in the background for the next question. */
    async look(workspace: string, channel: string): Promise<Audience> {
      const audience = read(workspace, channel).catch((error: unknown): Audience => {
        log.warn({ code: toCallCode(error) }, 'audience of a channel not known');
        return 'unknown';
      });
      return withinTime(WAIT_MS, audience, (): Audience => {
        log.warn({ code: 'too_slow' }, 'audience of a channel not known');
        return 'unknown';
      });
    },
    /** Somebody joined: they count as a reader from now on. */
    joined(workspace: string, channel: string, user: string): void {
      const key = toKey(workspace, channel);
      joinedLately.set(key, new Set(joinedLately.get(key)).add(user));
      const readers = lists.peek(key);
      if (!readers || readers.users.has(user)) return;
      readers.users.add(user);
      if (guests.isGuest(workspace, user) !== false) readers.found = undefined;
    },
    left(workspace: string, channel: string, user: string): void {
      const key = toKey(workspace, channel);
      joinedLately.get(key)?.delete(user);
      // A member who leaves changes nothing. For guests the list is read again, because events may arrive in any order.
      if (guests.isGuest(workspace, user) !== false) lists.delete(key);
    },
    personChanged: guests.changed,
    /** Forgets everything. */
    forget(): void {
      guests.forget();
      lists.clear();
      joinedLately.clear();
    },
  };
}

/** The text that is announced to other replicas. Slack ids contain no colon. */
export function encodeAudienceChange(change: AudienceChange): string {
  const { kind, workspace, user } = change;
  return [kind, workspace, user, ...('channel' in change ? [change.channel] : [])].join(':');
}

/** Applies what another replica announced. Kinds that only later releases know are ignored. */
export function applyAudienceChange(announced: string, audience: ChannelAudience): void {
  const [kind, workspace = '', user = '', channel = ''] = announced.split(':');
  if (kind === 'joined') audience.joined(workspace, channel, user);
  if (kind === 'left') audience.left(workspace, channel, user);
  if (kind === 'guest' || kind === 'member') audience.personChanged(workspace, user, kind === 'guest');
}

function toKey(workspace: string, channel: string): string {
  return `${workspace}:${channel}`;
}
