import type { Log } from '../../log.ts';
import { type AnswerClicks, encodeClickPlace, parseClickPlace, readClickPlace } from '../../slack/answer-clicks.ts';
import type { Messenger } from '../../slack/messenger.ts';
import { buildSection, type Content, toContent } from '../../slack/views/content.ts';
import { toCallCode } from '../../slack/web/slack-errors.ts';
import type { Caller } from './admin-rules.ts';
import { type FailurePorts, toKeptFailure } from './failure-message.ts';

/**
 * Posts a message that only the admin sees, where they gave the command or pressed the button. `plain`: the same, in case
 * Slack does not take the newer blocks. False: it did not arrive.
 */
export type Say = (content: Content, plain?: Content) => Promise<boolean>;

export type SayPorts = { clicks: AnswerClicks };

/** Times are shown in the time zone of the reader. */
export type TimeZones = {
  /** The caller's IANA time zone, or the default. Never throws. */
  timeZone(caller: Caller): Promise<string>;
};

export type BackgroundPorts = {
  /** Runs after the acknowledgement. A shutdown waits for it. */
  inBackground(work: () => Promise<void>): void;
};

/**
 * For new messages; the clicked one stays as it is. `body`: the payload from Slack. `replyTo`: for a click in a modal, what
 * the modal carried.
 */
export function createSay(body: object, { clicks }: SayPorts, replyTo?: string): Say {
  const place = replyTo === undefined ? readClickPlace(body) : parseClickPlace(replyTo);
  return (content, plain) => clicks.say(body, content, { place, plain });
}

/** Where to post the outcome, for a modal to carry. `body`: of the click or the command that opens the modal. */
export function toReplyTo(body: object): string {
  return encodeClickPlace(readClickPlace(body));
}

/** Runs the work after the acknowledgement, and says what stopped it. `again`: what to do after a sign-in, in mrkdwn. */
export function startSaying(
  say: Say,
  ports: BackgroundPorts & FailurePorts,
  work: () => Promise<void>,
  again?: string,
): void {
  ports.inBackground(async () => {
    try {
      await work();
    } catch (error) {
      await say((await toKeptFailure(error, ports, again)).content);
    }
  });
}

/** After this, a person wonders whether the command or the click arrived. */
const STILL_LOOKING_AFTER_MS = 2_500;

/** Says that the work takes a while, if it does. `note`: mrkdwn. */
export async function withWaitNote<T>(say: Say, note: string, work: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => void say(toContent([buildSection(note)])), STILL_LOOKING_AFTER_MS);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}

export type WritePorts = { messenger: Pick<Messenger, 'postDirect'>; log: Log };

/** Sends an admin a direct message. Never throws. False: it did not arrive, which is logged. */
export async function tryDm(
  recipient: Pick<Caller, 'workspace' | 'user'>,
  content: Content,
  { messenger, log }: WritePorts,
): Promise<boolean> {
  try {
    await messenger.postDirect(recipient, content);
    return true;
  } catch (error) {
    log.warn({ code: toCallCode(error) }, 'admin not written to');
    return false;
  }
}
