// Why a scheduled review could not be held, in words for its channel and for the admin with whose rights it reads.
import { UserError } from '../../errors.ts';
import { english } from '../../languages/english.ts';
import { buildSection, type Content, formatTime, toMrkdwnLine } from '../../slack/views/content.ts';
import { buildSignInButtons } from '../../slack/views/sign-in.ts';
import { buildNotes } from '../shell/blocks.ts';
import { buildAdminText } from '../shell/failure-message.ts';

type ProblemWords = {
  /** In mrkdwn, as sentences of their own. */
  text: string;
  /** For the reviewer's direct messages; undefined if they cannot do anything about it themselves. */
  direct?: string;
  helpsSignIn?: boolean;
};

/** Nothing was compared, and people read why. */
export class ReviewNotDoneError extends UserError {
  readonly words: ProblemWords;

  constructor(code: string, words: ProblemWords, options?: ErrorOptions) {
    super(code, 'the scheduled review could not be held', options);
    this.words = words;
  }
}

const READS = 'with whose rights it reads';

/** `reviewer`: a Slack user id. */
export function notSignedIn(reviewer: string, options?: ErrorOptions): ReviewNotDoneError {
  const words = {
    text: `<@${reviewer}>, ${READS}, is not signed in to the administrative interface. They give \`/assistant-admin sign-in\`, or use the button that I sent them.`,
    direct:
      'The scheduled review reads with your rights, and you are not signed in to the administrative interface any more. It is not held until you sign in again.',
    helpsSignIn: true,
  };
  return new ReviewNotDoneError('not_signed_in', words, options);
}

export function notAdmin(reviewer: string): ReviewNotDoneError {
  const mend = 'Whoever runs it names somebody else in `REVIEW_AS`, or adds them to `ADMIN_USERS`.';
  return new ReviewNotDoneError('not_admin', {
    text: `<@${reviewer}>, ${READS}, is not one of the administrators of this app any more. ${mend}`,
    direct: `The scheduled review reads with your rights, and you are not one of the administrators of this app any more. ${mend}`,
  });
}

export function notAllowed(reviewer: string): ReviewNotDoneError {
  return new ReviewNotDoneError('admin_forbidden', {
    text: `The administrative service does not let the account of <@${reviewer}>, ${READS}, look at everything. They need the administrator role there.`,
    direct:
      'The scheduled review reads with your rights, and the administrative service does not let your account look at everything. Ask for the administrator role there, or sign in with an account that has it.',
    helpsSignIn: true,
  });
}

export function notInChannel(channel: string): ReviewNotDoneError {
  const sentence = `The app is not in the channel <#${channel}>, where the scheduled review is posted. Invite it there, or have whoever runs this app name another one in \`REVIEW_CHANNEL\`.`;
  return new ReviewNotDoneError('not_in_channel', { text: sentence, direct: sentence });
}

export function sharedChannel(channel: string): ReviewNotDoneError {
  const sentence = `People of other organisations read the channel <#${channel}>, so the scheduled review is not posted there any more. End the sharing, or have whoever runs this app name another channel in \`REVIEW_CHANNEL\`.`;
  return new ReviewNotDoneError('channel_shared', { text: sentence, direct: sentence });
}

export function notPosted(channel: string, slackError: string, options?: ErrorOptions): ReviewNotDoneError {
  const sentence = `Slack does not let the app post into <#${channel}> (${toMrkdwnLine(slackError, 60)}), where the scheduled review is to go.`;
  return new ReviewNotDoneError('not_posted', { text: sentence, direct: sentence }, options);
}

/** `sentence`: plain, perhaps from outside. */
export function notRead(code: string, sentence: string): ReviewNotDoneError {
  return new ReviewNotDoneError(code, { text: toMrkdwnLine(sentence, 500) });
}

export function emptyPolicy(): ReviewNotDoneError {
  return new ReviewNotDoneError('policy_empty', {
    text: 'The policy is empty, so there is nothing to compare with. `/assistant-admin review` drafts one.',
  });
}

export function tookTooLong(): ReviewNotDoneError {
  return new ReviewNotDoneError('took_too_long', {
    text: 'It took longer than an hour: the administrative service is too slow.',
  });
}

/** Any other error. */
export function failed(error: unknown): ReviewNotDoneError {
  const text = 'Something went wrong in this app, or in what it depends on. Its log says what.';
  return new ReviewNotDoneError('failed', { text }, { cause: error });
}

/** For the reviewer. */
export function buildDirect({ words }: ReviewNotDoneError): Content {
  const text = words.direct ?? `The scheduled review could not be held. ${words.text}`;
  if (!words.helpsSignIn) return buildAdminText(text);
  const note = 'This is apart from your sign-in for questions. The next review is held at its usual time.';
  return { text, blocks: [buildSection(text), buildSignInButtons('admin', english), buildNotes([note])] };
}

/** For the channel. `nextAt`: of the next run, epoch ms. */
export function buildProblem({ words }: ReviewNotDoneError, nextAt: number | undefined, timeZone: string): Content {
  const title = ':warning: *The scheduled review could not be held.* Nothing was compared.';
  const once = 'This is said once, until it changes.';
  const note = nextAt === undefined ? once : `${once} The next review is on ${formatTime(nextAt, timeZone)}.`;
  return { text: title, blocks: [buildSection(title), buildSection(words.text), buildNotes([note])] };
}
