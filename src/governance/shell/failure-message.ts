import { isAdminRefusal } from '../../admin-api/admin-errors.ts';
import { codeOf } from '../../errors.ts';
import { AccountNotLinkedError } from '../../identity/identity-errors.ts';
import { english } from '../../languages/english.ts';
import type { Log } from '../../log.ts';
import { SECTION_LIMIT } from '../../slack/text-out/message-budget.ts';
import {
  buildNote,
  buildSection,
  type Content,
  shortenLines,
  toContent,
  toMrkdwnLine,
  toMrkdwnName,
} from '../../slack/views/content.ts';
import { buildSignInButtons, buildSignInPrompt } from '../../slack/views/sign-in.ts';
import { AdminCheckFailedError } from './access.ts';
import { describeError, toAdminFailure } from './admin-failure.ts';

const SIGN_IN_FIRST =
  'You are not signed in to the administrative interface, so nothing was looked up or changed. Sign in with the button in the message I sent you: it says what comes after that.';

const GOES_ON = 'You have signed in meanwhile, so I go on with your command.';

export type FailurePorts = {
  log: Log;
  /** Keeps the command, to carry it out after a sign-in. `error`: what stopped it. Undefined: it could not be kept. */
  keepForSignIn?: ((error: unknown) => Promise<Kept | undefined>) | undefined;
};

/** `again`: what to do after the sign-in, in mrkdwn. `goes on`: the person has signed in, and the command is carried out. */
export type Kept = { again: string } | 'goes on';

export type FailureMessage = {
  /** Plain text for modals, perhaps with the service's own words: untrusted. */
  sentence: string;
  /** The same as a message, with the sign-in button if a sign-in helps. */
  content: Content;
  /** Send the message even if a modal shows the sentence: sign-in buttons work only in messages. */
  needsMessage: boolean;
};

/** What an admin reads when their work stops. `again`: what to do after a sign-in. Logs unexpected errors. */
export function toFailureMessage(error: unknown, { log }: FailurePorts, again = 'do this again'): FailureMessage {
  if (error instanceof AccountNotLinkedError) {
    return { sentence: SIGN_IN_FIRST, content: buildAdminSignIn(undefined, again), needsMessage: true };
  }
  const sentence = toFailureSentence(error, log);
  const content = helpsSignIn(error) ? buildAdminSignIn(sentence, again) : buildAdminProblem(sentence);
  return { sentence, content, needsMessage: isAdminRefusal(error, 'admin_unauthorized') };
}

/** The same, but first keeps the command if a sign-in helps. */
export async function toKeptFailure(error: unknown, ports: FailurePorts, again?: string): Promise<FailureMessage> {
  const kept = helpsSignIn(error) ? await ports.keepForSignIn?.(error) : undefined;
  if (kept === 'goes on') return { sentence: GOES_ON, content: buildAdminText(GOES_ON), needsMessage: false };
  return toFailureMessage(error, ports, kept?.again ?? again);
}

function helpsSignIn(error: unknown): boolean {
  return error instanceof AccountNotLinkedError || isAdminRefusal(error, 'admin_unauthorized', 'admin_forbidden');
}

/** The sentence alone, without a sign-in button. */
export function toFailureSentence(error: unknown, log: Log): string {
  const { sentence, isFault } = describeError(error);
  if (isFault) log.error({ err: error }, 'admin listener failed');
  if (error instanceof AdminCheckFailedError) log.warn({ err: error, reason: error.cause }, 'admin check failed');
  if (toAdminFailure(error)) log.info({ code: codeOf(error) }, 'administrative interface failed');
  return sentence;
}

export const NOT_SET_UP =
  'Administration is not set up in this app. Whoever runs it can turn it on with `ADMIN_USERS`.';

/** `sentence` is plain text, perhaps from outside; our own commands in it are in backticks. */
export function buildAdminProblem(sentence: string): Content {
  return buildAdminText(toSentence(sentence));
}

/** Escaping may make the text longer than a section. */
function toSentence(sentence: string): string {
  return shortenLines(toMrkdwnLine(sentence, 1_000), SECTION_LIMIT);
}

/** For texts of our own, in mrkdwn. */
export function buildAdminText(text: string): Content {
  return toContent([buildSection(text)]);
}

/** `account`: its name in the directory, untrusted; empty if it is not known. */
export function buildSignedInAlready(account: string): Content {
  const name = toMrkdwnName(account, 200);
  const who = name === '' ? 'with an account whose name is unknown' : `as *${name}*`;
  const text = `You are signed in ${who}. To change the account, sign in again.`;
  return toContent([buildSection(text), buildSignInButtons('admin', english)]);
}

/**
 * The sign-in for questions does not count here, because an admin may use another account. `why`: plain text, perhaps from
 * outside; default: that a sign-in is needed. `next`: what to do afterwards, in mrkdwn.
 */
export function buildAdminSignIn(why?: string, next?: string): Content {
  const prompt = buildSignInPrompt('admin', english);
  const text = why === undefined ? prompt.text : toSentence(why);
  const apart = 'This is separate from your sign-in for questions.';
  const note = next === undefined ? apart : `${apart} Afterwards, ${next}.`;
  const buttons = prompt.blocks.filter(({ type }) => type === 'actions');
  return toContent([buildSection(text), ...buttons, buildNote(note)]);
}
