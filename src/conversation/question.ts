import { createHash } from 'node:crypto';

/** What somebody asked. Stored before Slack gets its acknowledgement. */
export type Question = {
  asker: Person;
  /** The team whose installation received it. Its bot token posts the answer; its purge deletes the question. */
  workspace: string;
  channel: string;
  /**
   * `message`: from a channel that the app is a member of. `command`, `shortcut`: from anywhere. `slackbot`: a call of
   * Slackbot, without a channel; the caller waits up to a minute for the answer.
   */
  origin: 'message' | 'command' | 'shortcut' | 'slackbot';
  /** A direct message is read by one person; everything else by all members of the channel. */
  audience: 'person' | 'channel';
  /** The root of the thread. Unknown for a slash command until its root, the first part of the reply, is placed. */
  threadTs?: string | undefined;
  /** The message with the question; none for a slash command. */
  messageTs?: string | undefined;
  /** False if the thread existed before this message: then its earlier messages may be quoted. */
  startsThread: boolean;
  /** Without mentions and without the web-off words. Empty once the turn is done. */
  text: string;
  /** False: web search is off, for this question only. */
  webSearch: boolean;
  /** Absolute https addresses shared with the message, in order, not yet checked against the allowed hosts. */
  links: string[];
  /** What was shared with the message that the service cannot read. */
  unusable: UnusableFile[];
  /** Text files uploaded to Slack with the message, which are also among the `unusable`. */
  uploads?: Upload[] | undefined;
  /** The ts of a message that the question is about; the question itself was typed into a window. */
  about?: string;
  /** The message's event said that the channel is shared with other organisations. */
  isSharedChannel?: boolean;
  /** It is a scheduled question. `due`: its time (epoch ms). */
  scheduled?: { due: number } | undefined;
  /** Slack delivered it hours after somebody wrote it. */
  isLate?: boolean;
  /** Nobody mentioned the app: in this channel it replies to every message that begins a thread. */
  isUnaddressed?: boolean;
  /** The id of the failed turn that this one repeats. Caps count both as one question. */
  repeats?: string | undefined;
  /** True: asked again, so `text` has to be read from the message. */
  isAskedAgain?: boolean;
  /** Asked again, and somebody wrote in the thread after it: the answer has to say which question it answers. */
  isFollowed?: boolean;
  /**
   * The message's digest when it was asked: see toFingerprint. Only for messages that somebody else may have written,
   * because their author could change them before they are asked again.
   */
  fingerprint?: string | undefined;
  /** Asks nothing: copies these messages, a private answer of the asker, to the thread. */
  shares?: { channel: string; ts: string }[] | undefined;
};

/** Without what was asked. */
export function withoutWords(question: Question): Question {
  return { ...question, text: '', links: [], unusable: [], uploads: undefined };
}

/** A digest of everything that a question sends, to detect changes. Stored encrypted: short texts can be guessed. */
export function toFingerprint({ text, links, unusable }: Pick<Question, 'text' | 'links' | 'unusable'>): string {
  const said = JSON.stringify([text, links, unusable.map(({ name, reason }) => [name, reason])]);
  return createHash('sha256').update(said).digest('base64url');
}

/** Who reads the channel of a question: only members of the organisation, guests too, or unknown. */
export type Audience = 'members' | 'guests' | 'unknown';

/** `why`: why a text file uploaded to Slack was not read. */
export type UnusableFile = { name: string; reason: UnusableReason; why?: UploadRefusal };

/** `scope`: the app may not read files; `size`: too large; `number`: too many files; `form`: not UTF-8 text. */
export type UploadRefusal = 'scope' | 'size' | 'number' | 'form' | 'unreachable';

/** A file kept by Slack that may be text. If it has no address, ask Slack for it (Slack Connect). */
export type Upload = { id: string; name: string; url?: string; size?: number };

/** `upload`: kept by Slack itself; `item_id`: named by an item id, for which the service has no field. */
export type UnusableReason = 'upload' | 'other_host' | 'too_many' | 'not_https' | 'item_id';

/** Somebody in Slack. `team` is the enterprise id where there is one, else the team id: user ids are unique within it. */
export type Person = { team: string; user: string };

export function toPersonKey(person: Person): string {
  return `${person.team}:${person.user}`;
}

/** `team` is the enterprise id where there is one, else the team id. */
export type Thread = { team: string; channel: string; threadTs: string };

/** The key of a thread, and of its lane. Slack ids contain no colon. */
export function toThreadKey(thread: Thread): string {
  return `${thread.team}:${thread.channel}:${thread.threadTs}`;
}
