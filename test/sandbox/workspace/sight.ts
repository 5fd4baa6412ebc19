/** What one person sees of this Slack: the page shows it, and knows nothing else. */
import type { Channel, Message, View } from '../slack/records.ts';
import type { Warning } from '../slack/warnings.ts';

/** Who looks, and at what: a conversation, and perhaps one of its threads. */
export type Looking = { person: string; channel: string | undefined; thread: string | undefined };

export type ShownPerson = {
  id: string;
  name: string;
  role: 'member' | 'admin' | 'guest';
  timeZone: string;
  hasNews: boolean;
};

export type ShownConversation = {
  id: string;
  name: string;
  kind: Channel['kind'];
  /** How many messages of others came since the person last looked. */
  unread: number;
  isShared: boolean;
  hasApp: boolean;
  /** Ids of people and apps. */
  members: string[];
};

/** `blocks`: as the page draws them, which knows no markup: that is rich text. Made of the text where there are none. */
export type ShownMessage = Omit<Message, 'stream'> & {
  isStreaming: boolean;
  /** Of a root: its thread, as this person sees it. */
  thread: { replies: number; latestTs: string | undefined; status: string | undefined };
};

export type Sight = {
  team: string;
  hasPanel: boolean;
  me: { id: string; locale: string };
  people: ShownPerson[];
  app: { id: string; dm: string; prompts: { title: string; message: string }[] };
  conversations: ShownConversation[];
  channel: string | undefined;
  messages: ShownMessage[];
  thread: { ts: string; messages: ShownMessage[]; status: string | undefined } | undefined;
  home: ShownView | undefined;
  modal: ShownView | undefined;
  warnings: Warning[];
  commands: { name: string; description: string; hint: string }[];
  shortcuts: { name: string; id: string }[];
  /** Files of the organisation that this person can share. */
  files: { name: string; url: string }[];
  /** Of people, apps and channels, by id. */
  names: Record<string, string>;
};

/** With blocks as a message has them. */
export type ShownView = View;
