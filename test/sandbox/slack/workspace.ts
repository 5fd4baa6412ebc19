/** The state of the sandbox's Slack: who is there, which channels, what was said. */
import { type AgentSessions, createAgentSessions } from './agent-sessions.ts';
import { createIdentifiers, type Identifiers } from './identifiers.ts';
import { createMessages, type Messages } from './messages.ts';
import type { Channel, Json, Notification, User } from './records.ts';
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

export type Workspace = {
  readonly team: Team;
  readonly app: AppIdentity;
  readonly identifiers: Identifiers;
  readonly users: ReadonlyMap<string, User>;
  readonly channels: ReadonlyMap<string, Channel>;
  readonly messages: Messages;
  readonly sessions: AgentSessions;
  /** Everybody whom the app's messages notified by a mention, in order. */
  readonly notifications: Notification[];
  /** Suggested prompts per DM with the app. */
  readonly prompts: Map<string, { title: string; message: string }[]>;
  /** Uploads by id. */
  readonly files: Map<string, { file: Json; content: Buffer }>;
  /** Uploads of the app that are not completed, by the id of their file. `key`: in the upload_url; `length`: in bytes. */
  readonly uploads: Map<string, { key: string; name: string; length: number; content: Buffer | undefined }>;
  readonly usergroups: Map<string, { handle: string; users: Set<string> }>;
  addUser(user: NewUser): User;
  /** Changes a person; Slack tells the app by `user_change`. */
  changeUser(id: string, changes: Partial<User>): User;
  onUserChanged(listener: (user: User) => void): void;
  addChannel(channel: NewChannel): Channel;
  onAudienceChanged(listener: (change: AudienceChange) => void): void;
  changeChannel(id: string, changes: Partial<Omit<Channel, 'members' | 'id'>>): Channel;
  join(channelId: string, userId: string): void;
  leave(channelId: string, userId: string): void;
  user(id: string): User;
  channel(id: string): Channel;
  /** The person's DM with the app; made when first asked for. */
  dmOf(userId: string): Channel;
  /** What the thread shows of the app's work, if anything. */
  status(channel: string, threadTs: string): string | undefined;
};

export function createWorkspace(team: Team, app: AppIdentity, changed: Signal): Workspace {
  const users = new Map<string, User>();
  const channels = new Map<string, Channel>();
  const identifiers = createIdentifiers();
  const listeners: ((user: User) => void)[] = [];
  const audienceListeners: ((change: AudienceChange) => void)[] = [];
  const tell = (change: AudienceChange) => {
    for (const listener of audienceListeners) listener(change);
  };
  const sessions = createAgentSessions(changed);

  const workspace: Workspace = {
    team,
    app,
    identifiers,
    users,
    channels,
    messages: createMessages(changed),
    sessions,
    notifications: [],
    prompts: new Map(),
    files: new Map(),
    uploads: new Map(),
    usergroups: new Map(),
    addUser: (user) => put(users, { ...blankUser(team.id), ...user }),
    changeUser(id, changes) {
      const user = Object.assign(workspace.user(id), changes);
      for (const listener of listeners) listener(user);
      return user;
    },
    onUserChanged: (listener) => void listeners.push(listener),
    addChannel: (channel) => put(channels, { ...blankChannel(), ...channel, members: new Set(channel.members) }),
    changeChannel(id, changes) {
      const channel = workspace.channel(id);
      const wasShared = channel.isExtShared;
      Object.assign(channel, changes);
      if (channel.isExtShared !== wasShared) tell({ type: wasShared ? 'channel_unshared' : 'channel_shared', channel });
      return channel;
    },
    join(channelId, userId) {
      const channel = workspace.channel(channelId);
      const user = workspace.user(userId).id;
      if (channel.members.has(user)) return;
      channel.members.add(user);
      tell({ type: 'member_joined_channel', channel, user });
    },
    leave(channelId, userId) {
      const channel = workspace.channel(channelId);
      if (channel.members.delete(userId)) tell({ type: 'member_left_channel', channel, user: userId });
    },
    onAudienceChanged: (listener) => void audienceListeners.push(listener),
    user: (id) => found(users.get(id), `There is no user ${id} in the sandbox.`),
    channel: (id) => found(channels.get(id), `There is no channel ${id} in the sandbox.`),
    dmOf: (userId) => channels.get(toDmId(userId)) ?? openDm(workspace, userId),
    status: (channel, threadTs) => sessions.shown({ channel, threadTs }),
  };
  return workspace;
}

function put<T extends { id: string }>(table: Map<string, T>, entry: T): T {
  table.set(entry.id, entry);
  return entry;
}

function toDmId(userId: string): string {
  return `D${userId.slice(1)}`;
}

function openDm(workspace: Workspace, userId: string): Channel {
  const members = [workspace.user(userId).id, workspace.app.botUserId];
  return workspace.addChannel({ id: toDmId(userId), name: 'directmessage', kind: 'im', members });
}

function found<T>(value: T | undefined, message: string): T {
  if (value === undefined) throw new Error(message);
  return value;
}

function blankUser(teamId: string): User {
  return {
    id: '',
    teamId,
    name: 'somebody',
    realName: 'Somebody',
    locale: 'en-US',
    isAdmin: false,
    isOwner: false,
    isOrgOwner: false,
    isRestricted: false,
    isUltraRestricted: false,
    isStranger: false,
    isBot: false,
    deleted: false,
  };
}

function blankChannel(): Channel {
  return {
    id: '',
    name: 'channel',
    kind: 'public',
    members: new Set(),
    isExtShared: false,
    isOrgShared: false,
    isPendingExtShared: false,
    isArchived: false,
  };
}
