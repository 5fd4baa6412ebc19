/** The state of the sandbox's Slack: who is there, which channels, what was said. */
import { createAgentSessions } from './agent-sessions.ts';
import { createIdentifiers } from './identifiers.ts';
import { createMessages } from './messages.ts';
import { BLANK_CHANNEL, BLANK_USER, type Channel, type Json, type Notification, type User } from './records.ts';
import type { Signal } from './signal.ts';

export type Enterprise = { id: string; name: string };

export type Team = { id: string; name: string; domain: string; enterprise?: Enterprise };

export type NewUser = Partial<User> & { id: string };
type NewChannel = Partial<Omit<Channel, 'members'>> & { id: string; members?: Iterable<string> };

/** Everything about the app that the workspace has to know. */
export type AppIdentity = { appId: string; botUserId: string; botId: string; teamId: string };

/** Who reads a channel has changed: somebody came or left, or people of another organisation do. */
export type AudienceChange = {
  type: 'member_joined_channel' | 'member_left_channel' | 'channel_shared' | 'channel_unshared';
  channel: Channel;
  user?: string;
};

/** `key`: in the upload_url; `length`: in bytes. */
type Upload = { key: string; name: string; length: number; content: Buffer | undefined };

export type Workspace = ReturnType<typeof createWorkspace>;

export function createWorkspace(team: Team, app: AppIdentity, changed: Signal) {
  const users = new Map<string, User>();
  const channels = new Map<string, Channel>();
  const identifiers = createIdentifiers();
  const listeners: ((user: User) => void)[] = [];
  const audienceListeners: ((change: AudienceChange) => void)[] = [];
  const tell = (change: AudienceChange) => {
    for (const listener of audienceListeners) listener(change);
  };
  const sessions = createAgentSessions(changed);

  const user = (id: string) => found(users.get(id), `There is no user ${id} in the sandbox.`);
  const channel = (id: string) => found(channels.get(id), `There is no channel ${id} in the sandbox.`);
  const addChannel = (given: NewChannel) =>
    put(channels, { ...BLANK_CHANNEL, ...given, members: new Set(given.members) });
  const openDm = (userId: string) => {
    const members = [user(userId).id, app.botUserId];
    return addChannel({ id: toDmId(userId), name: 'directmessage', kind: 'im', members });
  };

  return {
    team,
    app,
    identifiers,
    users: users as ReadonlyMap<string, User>,
    channels: channels as ReadonlyMap<string, Channel>,
    messages: createMessages(changed),
    sessions,
    /** Everybody whom the app's messages notified by a mention, in order. */
    notifications: [] as Notification[],
    /** Suggested prompts per DM with the app. */
    prompts: new Map<string, { title: string; message: string }[]>(),
    /** Uploads by id. */
    files: new Map<string, { file: Json; content: Buffer }>(),
    /** Uploads of the app that are not completed, by the id of their file. */
    uploads: new Map<string, Upload>(),
    usergroups: new Map<string, { handle: string; users: Set<string> }>(),
    addUser: (given: NewUser) => put(users, { ...BLANK_USER, teamId: team.id, ...given }),
    /** Changes a person; Slack tells the app by `user_change`. */
    changeUser(id: string, changes: Partial<User>): User {
      const changedUser = Object.assign(user(id), changes);
      for (const listener of listeners) listener(changedUser);
      return changedUser;
    },
    onUserChanged: (listener: (user: User) => void) => void listeners.push(listener),
    addChannel,
    changeChannel(id: string, changes: Partial<Omit<Channel, 'members' | 'id'>>): Channel {
      const known = channel(id);
      const wasShared = known.isExtShared;
      Object.assign(known, changes);
      if (known.isExtShared !== wasShared)
        tell({ type: wasShared ? 'channel_unshared' : 'channel_shared', channel: known });
      return known;
    },
    join(channelId: string, userId: string): void {
      const [known, { id }] = [channel(channelId), user(userId)];
      if (known.members.has(id)) return;
      known.members.add(id);
      tell({ type: 'member_joined_channel', channel: known, user: id });
    },
    leave(channelId: string, userId: string): void {
      const known = channel(channelId);
      if (known.members.delete(userId)) tell({ type: 'member_left_channel', channel: known, user: userId });
    },
    onAudienceChanged: (listener: (change: AudienceChange) => void) => void audienceListeners.push(listener),
    user,
    channel,
    /** The person's DM with the app; made when first asked for. */
    dmOf: (userId: string) => channels.get(toDmId(userId)) ?? openDm(userId),
    /** What the thread shows of the app's work, if anything. */
    status: (channelId: string, threadTs: string) => sessions.shown({ channel: channelId, threadTs }),
  };
}

function put<T extends { id: string }>(table: Map<string, T>, entry: T): T {
  table.set(entry.id, entry);
  return entry;
}

function toDmId(userId: string): string {
  return `D${userId.slice(1)}`;
}

function found<T>(value: T | undefined, message: string): T {
  if (value === undefined) throw new Error(message);
  return value;
}
