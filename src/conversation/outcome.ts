import type { BridgeError } from '../errors.ts';
import type { UnusableFile } from './question.ts';

/** What the reply of a turn says. Stored before anything is posted. */
export type Outcome = Answer | SharedAnswer | Notice;

export type Answer = {
  kind: 'answer';
  /** Markdown as the service wrote it, its private citation markers already turned into `[1]`. Untrusted. */
  text: string;
  sources: Source[];
  webSearch: boolean;
  /** A rule turned web search off, not the asker. */
  isWebOffByRule?: boolean | undefined;
  /** Set for a private answer: the asker's direct message channel. The thread then gets a stub. */
  privateChannel?: string | undefined;
  /** It is private because guests read the channel, or because its readers are unknown. */
  privateBecause?: 'guests' | 'unknown' | undefined;
  /** It is private because a rule of the channel says so. */
  isPrescribed?: boolean | undefined;
  /** It is private because the question quoted messages from a private channel. */
  isFromPrivate?: boolean | undefined;
  /** The question, if it was asked again. `isFollowed`: see Question. Untrusted. */
  again?: { question: string; isFollowed: boolean } | undefined;
  /** Who asked, by name, where others may read it. Undefined: unknown. Untrusted. */
  askerName?: string | undefined;
  /** The stream broke off: the text may be incomplete. */
  partial: boolean;
  /** Answered in a new conversation: the service lost the old one, or this person may not use it any more. */
  contextLost: boolean;
  files: { used: string[]; unusable: UnusableFile[] };
  /** Which quotes were not sent with the question. Undefined: all were sent. */
  quoted?: QuotedNotes | undefined;
  /** The service's sensitivity label for the answer, as people see it. */
  sensitivity?: string | undefined;
};

/** `cut`: messages and files shortened or left out; `isUnread`: the thread could not be read, or not to its end. */
export type QuotedNotes = {
  cut?: number;
  isUnread?: boolean | undefined;
  /** The question is about a message, but quotes are turned off here. */
  isOff?: boolean;
  /** The quotes were too long for the service, so the question was asked without them. */
  isTooLong?: boolean;
  /** The service lost the conversation, so the thread was sent again. */
  isToldAgain?: boolean;
  /** Why linked messages were not read. */
  refused?: LinkRefusal[];
};

/**
 * `app`, `asker`: not a member of that channel, or, for the asker, unknown; `direct`: it is in a direct message;
 * `other_author`: somebody else wrote the link; `gone`: it could not be read; `number`: too many for one question;
 * `off`: quotes are turned off here; `rule`: a rule of that channel keeps its messages from the service.
 */
export type LinkRefusal = 'app' | 'asker' | 'direct' | 'other_author' | 'gone' | 'number' | 'off' | 'rule';

/** The messages of a private answer that its asker shares with the thread. */
type SharedAnswer = { kind: 'shared'; messages: SharedMessage[] };

/** `blocks`: our own Block Kit output, read back from Slack. */
export type SharedMessage = { text: string; blocks: unknown[] };

/** `number` is what `[1]` in the text refers to. `url` is http or https. */
export type Source = { number: number; title: string; url: string };

/** Something other than an answer, in our words. `detail` is text of the service meant for people, untrusted. */
export type Notice = { kind: 'notice'; code: NoticeCode; detail?: string | undefined; cap?: ReachedCap | undefined };

/** `most`: questions a day. `until`: when the next day begins (epoch ms). */
type ReachedCap = { most: number; until: number };

export type NoticeCode =
  | 'interrupted' // the process died between asking and storing the answer; never asked again automatically
  | 'outcome_unknown' // time-out, reset, 500, 502, 504: it may have been processed
  | 'unavailable' // the limit for all waits is reached; nothing was processed
  | 'empty' // the service answered with nothing
  | 'disengaged' // the service closed the conversation; the next question starts a new one
  | 'forbidden' // the account is refused, and the service gives no reason
  | 'consent_missing'
  | 'licence_missing'
  | 'credits_used_up'
  | 'policy_blocks'
  | 'rejected' // the service refused the request as it is
  | 'too_long'
  | 'busy' // 409 twice
  | 'sign_in_needed' // the asker cannot wait for a sign-in
  | 'sign_in_expired' // parked for a day
  | 'sign_in_lost' // the stored tokens cannot be decrypted any more
  | 'account_unusable' // the account signed in with is refused; sign in again
  | 'sign_in_broken' // the identity provider refuses the app itself
  | 'too_late' // the question arrived too late; nobody waits for the answer
  | 'schedule_held' // a scheduled question, and the asker is not signed in
  | 'question_lost' // the stored question cannot be decrypted any more
  | 'question_gone' // asked again, and deleted meanwhile
  | 'question_changed' // asked again, and changed meanwhile by somebody other than the asker
  | 'no_question' // the message has only mentions and web-off words
  | 'help' // the question is `help`
  | 'cannot_post' // the channel takes no message from us
  | 'guest' // the asker is a guest, a stranger or of another organisation
  | 'shared_channel' // the channel is shared with other organisations
  | 'not_allowed_here' // a rule of the channel refuses questions
  | 'paused' // by an administrator; `detail` is their message
  | 'person_cap' // the asker has reached the channel's daily cap per person: see `cap`
  | 'channel_cap' // all together have reached the channel's daily cap
  | 'stopped'
  | 'cancelled'
  | 'failed'; // our own fault

/** Sent to the asker alone, with nothing in the thread. */
const WHISPERED: ReadonlySet<string> = new Set<NoticeCode>([
  'guest',
  'shared_channel',
  'not_allowed_here',
  'paused',
  'person_cap',
  'channel_cap',
  'cannot_post',
  'no_question',
  'help',
  'account_unusable',
  'sign_in_lost',
]);

/** `code`: of a notice, or how a turn ended. */
export function isWhispered(code: string): boolean {
  return WHISPERED.has(code);
}

/** The one place that maps an error code to what the person is told. */
const NOTICES: Record<string, NoticeCode> = {
  assistant_outcome_unknown: 'outcome_unknown',
  assistant_unauthorized: 'account_unusable',
  assistant_account: 'account_unusable',
  identity_provider_misconfigured: 'sign_in_broken',
  assistant_forbidden: 'forbidden',
  assistant_rejected: 'rejected',
  question_too_long: 'too_long',
  conversation_gone: 'outcome_unknown',
  conversation_busy: 'busy',
  question_gone: 'question_gone',
  question_changed: 'question_changed',
  no_question: 'no_question',
  cannot_post: 'cannot_post',
};

/** The notices for refused accounts, by reason. Each says whom to ask. */
const REFUSALS: Record<string, NoticeCode> = {
  consent: 'consent_missing',
  licence: 'licence_missing',
  credits: 'credits_used_up',
  policy: 'policy_blocks',
};

/** `explanation`: text of the service for people, if the error has one. */
export function noticeFor(error: BridgeError & { explanation?: string | undefined; reason?: string }): Notice {
  const refusal = error.code === 'assistant_forbidden' ? REFUSALS[error.reason ?? ''] : undefined;
  const code = refusal ?? NOTICES[error.code] ?? 'failed';
  return { kind: 'notice', code, detail: error.explanation || undefined };
}
