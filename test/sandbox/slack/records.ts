/** What the sandbox keeps about people, channels, messages and views. */

export type Json = Record<string, unknown>;

export type Block = Json & { type: string };

/** Somebody of whom nothing is known. */
export const BLANK_USER = {
  id: '',
  teamId: '',
  name: 'somebody',
  realName: 'Somebody',
  locale: 'en-US',
  isAdmin: false,
  isOwner: false,
  /** Of the organisation that the team belongs to. */
  isOrgOwner: false,
  isRestricted: false,
  isUltraRestricted: false,
  isStranger: false,
  isBot: false,
  deleted: false,
};

export type User = typeof BLANK_USER & {
  email?: string;
  /** IANA zone; missing for bots and strangers, as in Slack. */
  tz?: string;
  /** Of a bot: its app and bot id. */
  appId?: string;
  botId?: string;
};

export type ChannelKind = 'public' | 'private' | 'im' | 'mpim';

export const BLANK_CHANNEL = {
  id: '',
  name: 'channel',
  kind: 'public' as ChannelKind,
  isExtShared: false,
  isOrgShared: false,
  isPendingExtShared: false,
  isArchived: false,
};

export type Channel = typeof BLANK_CHANNEL & { members: Set<string> };

export type Metadata = { event_type: string; event_payload: Json };

export type StreamState = {
  /** Epoch ms. */
  startedAt: number;
  bytes: number;
  markdown: string;
  tasks: Map<string, Json>;
  blocks: Block[];
  state: 'streaming' | 'finished' | 'stopped_by_user';
};

export type Message = {
  channel: string;
  ts: string;
  /** The thread's root; missing on a root without replies of its own, set on replies. */
  threadTs?: string | undefined;
  /** Who wrote it: a person's id, or the bot's user id. */
  user: string;
  botId?: string | undefined;
  appId?: string | undefined;
  teamId: string;
  /** Entity-encoded, as Slack keeps it. */
  text: string;
  blocks: Block[];
  subtype?: string | undefined;
  files?: Json[] | undefined;
  metadata?: Metadata | undefined;
  clientMsgId?: string | undefined;
  edited?: { user: string; ts: string } | undefined;
  broadcast?: boolean | undefined;
  /** Set on a message that only this person sees. */
  ephemeralFor?: string | undefined;
  /** True for an ephemeral message that Slack accepted but shows to nobody. */
  hidden?: boolean | undefined;
  stream?: StreamState | undefined;
  /** How often the app changed it after it was made. */
  edits: number;
};

export type View = {
  id: string;
  type: 'modal' | 'home';
  hash: string;
  callbackId: string;
  title: Json | undefined;
  submit: Json | undefined;
  close: Json | undefined;
  blocks: Block[];
  privateMetadata: string;
  externalId: string;
  clearOnClose: boolean;
  notifyOnClose: boolean;
  submitDisabled: boolean;
  userId: string;
  rootViewId: string;
  previousViewId: string | null;
  /** What the person has entered so far: block id → action id → value. */
  entered: Record<string, Record<string, Json>>;
  /** What the app offered last where it is asked for options: by `block id/action id`. */
  offered: Record<string, Json>;
};

/** Somebody was notified by a message of the app. */
export type Notification = {
  channel: string;
  ts: string;
  kind: 'channel' | 'here' | 'everyone' | 'user' | 'usergroup';
  /** The users who heard it. */
  users: string[];
  /** The markup that did it. */
  source: string;
};
