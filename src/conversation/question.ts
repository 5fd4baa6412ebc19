/** What somebody asked, as it is written to the store before Slack gets its acknowledgement. */
export type Question = {
  asker: Person;
  /** The team whose installation received it: whose bot token answers, and whose purge removes it. */
  workspace: string;
  channel: string;
  /** How it came: a `message` is from a place we are in; a command or shortcut may be used anywhere. */
  origin: 'message' | 'command' | 'shortcut';
  /** A direct message is read by one person; everything else by all members of the channel. */
  audience: 'person' | 'channel';
  /** The root of the thread. Unknown for a slash command until its root, the first part of the reply, is placed. */
  threadTs?: string | undefined;
  /** The message that asks; none for a slash command. */
  messageTs?: string | undefined;
  /** False where the thread existed before this message, so that files shared earlier in it may count. */
  startsThread: boolean;
  /** Without mentions and without the web-off words. Empty once the turn is done. */
  text: string;
  /** False: web search is off, for this question only. */
  webSearch: boolean;
  /** Absolute https addresses shared with the message, in order, not yet checked against the allowed hosts. */
  links: string[];
  /** What was shared with the message that the service cannot read. */
  unusable: UnusableFile[];
  /** Slack said with the message that people of other organisations read the channel. */
  isSharedChannel?: boolean;
  /** True: `text` is not known and has to be read from the message, because the question is asked again. */
  isAskedAgain?: boolean;
  /** Nothing is asked: the answer in these messages, given to the asker alone, is to be shown in the thread. */
  shares?: { channel: string; ts: string }[] | undefined;
};

export type UnusableFile = { name: string; reason: UnusableReason };

/** `upload`: kept by Slack itself; `item_id`: named by an id, a field the contract does not show. */
export type UnusableReason = 'upload' | 'other_host' | 'too_many' | 'not_https' | 'item_id';

/** Somebody in Slack. `team` is the enterprise id where there is one, else the team id: ids are unique within that. */
export type Person = { team: string; user: string };

export function toPersonKey(person: Person): string {
  return `${person.team}:${person.user}`;
}

/** Where a conversation lives in Slack. `team` is the enterprise id where there is one, else the team id. */
export type Thread = { team: string; channel: string; threadTs: string };

/** The key of a thread, and of its lane. Slack ids contain no colon. */
export function toThreadKey(thread: Thread): string {
  return `${thread.team}:${thread.channel}:${thread.threadTs}`;
}
