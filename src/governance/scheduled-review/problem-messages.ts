// Why a scheduled review could not be done, in words for its channel and for the admin with whose rights it reads.
import { UserError } from '../../errors.ts';
import { english } from '../../languages/english.ts';
import { buildSection, type Content, formatTime, toMrkdwnLine } from '../../slack/views/content.ts';
import { buildSignInButtons } from '../../slack/views/sign-in.ts';
import type { RegisterProblem } from '../register/register-problem.ts';
import { describeReason, formatCount } from '../review/finding-words.ts';
import { buildNotes, fitLines } from '../shell/blocks.ts';
import { buildAdminText } from '../shell/failure-message.ts';

type ProblemWords = {
  /** In mrkdwn, as a sentence of its own after *The scheduled review could not be done*. */
  text: string;
  /** For the reviewer's direct messages; undefined if they cannot do anything about it themselves. */
  direct?: string;
  helpsSignIn?: boolean;
};

/** Nothing was compared, and people read why. */
export class ReviewNotDoneError extends UserError {
  readonly words: ProblemWords;

  constructor(code: string, words: ProblemWords, options?: ErrorOptions) {
    super(code, 'the scheduled review could not be done', options);
    this.words = words;
  }
}

const READS = 'with whose rights it reads';

/** `reviewer`: a Slack user id. */
export function notSignedIn(reviewer: string, options?: ErrorOptions): ReviewNotDoneError {
  const words = {
    text: `<@${reviewer}>, ${READS}, is not signed in to the administrative interface. They give \`/assistant-admin sign-in\`, or use the button that I sent them.`,
    direct:
      'The scheduled review reads with your rights, and you are not signed in to the administrative interface any more. It is not done until you sign in again.',
    helpsSignIn: true,
  };
  return new ReviewNotDoneError('not_signed_in', words, options);
}

export function notAdmin(reviewer: string): ReviewNotDoneError {
  return new ReviewNotDoneError('not_admin', {
    text: `<@${reviewer}>, ${READS}, is not one of the administrators of this app any more. Whoever runs it names somebody else in \`REVIEW_AS\`, or adds them to \`ADMIN_USERS\`.`,
    direct:
      'The scheduled review reads with your rights, and you are not one of the administrators of this app any more. Whoever runs it names somebody else in `REVIEW_AS`, or adds you to `ADMIN_USERS`.',
  });
}

export function notInChannel(channel: string): ReviewNotDoneError {
  const sentence = `The app is not in the channel <#${channel}>, where the scheduled review is posted. Invite it there, or have whoever runs this app name another one in \`REVIEW_CHANNEL\`.`;
  return new ReviewNotDoneError('not_in_channel', { text: sentence, direct: sentence });
}

export function sharedChannel(channel: string): ReviewNotDoneError {
  const sentence = `People of other organisations read the channel <#${channel}>, or were invited to, so the scheduled review is not posted there any more. End the sharing, or have whoever runs this app name another channel in \`REVIEW_CHANNEL\`.`;
  return new ReviewNotDoneError('channel_shared', { text: sentence, direct: sentence });
}

export function notPosted(channel: string, slackError: string, options?: ErrorOptions): ReviewNotDoneError {
  const sentence = `Slack does not let the app post into <#${channel}> (${toMrkdwnLine(slackError, 60)}), where the scheduled review is to go.`;
  return new ReviewNotDoneError('not_posted', { text: sentence, direct: sentence }, options);
}

/** `reason`: why most of it could not be read. */
export function notRead(reason: string, reviewer: string): ReviewNotDoneError {
  if (reason === 'admin_unauthorized') return notSignedIn(reviewer);
  if (reason === 'admin_forbidden') {
    return new ReviewNotDoneError(reason, {
      text: `The administrative service does not let the account of <@${reviewer}>, ${READS}, look at everything. They need the administrator role there.`,
      direct:
        'The scheduled review reads with your rights, and the administrative service does not let your account look at everything. Ask for the administrator role there, or sign in with an account that has it.',
      helpsSignIn: true,
    });
  }
  return new ReviewNotDoneError(reason, {
    text: `Most of it could not be read: ${describeReason(reason)}. If that happens again, tell whoever runs this app.`,
  });
}

/** As many as fit into a section. */
const MAX_PROBLEMS = 8;

export function registerWrong(problems: readonly RegisterProblem[]): ReviewNotDoneError {
  const lines = problems
    .slice(0, MAX_PROBLEMS)
    .map(({ line, sentence }) => `• Line ${line.toLocaleString('en-US')}: ${toMrkdwnLine(sentence, 200)}`);
  const more = problems.length - lines.length;
  const head = `The register has ${formatCount(problems.length, 'problem')}, so there is nothing to compare with. Mend its file.`;
  const text = fitLines([head, ...lines, ...(more > 0 ? [`• and ${formatCount(more, 'more', 'more')}`] : [])]);
  return new ReviewNotDoneError('register_wrong', { text });
}

export function registerUnreadable(options?: ErrorOptions): ReviewNotDoneError {
  const text =
    'The file of the register could not be read. Whoever runs this app finds the reason in its log; `GOVERNANCE_REGISTER` names the file.';
  return new ReviewNotDoneError('register_unreadable', { text }, options);
}

export function tookTooLong(): ReviewNotDoneError {
  return new ReviewNotDoneError('took_too_long', {
    text: 'It took too long. If that happens again, the administrative service is too slow for all there is to look at.',
  });
}

/** Any other error. */
export function failed(error: unknown): ReviewNotDoneError {
  const text = 'Something went wrong in this app, or in what it depends on. Its log says what.';
  return new ReviewNotDoneError('failed', { text }, { cause: error });
}

/** For the reviewer. */
export function buildDirect({ words }: ReviewNotDoneError): Content {
  const text = words.direct ?? `The scheduled review could not be done. ${words.text}`;
  return words.helpsSignIn ? buildSignIn(text) : buildAdminText(text);
}

function buildSignIn(text: string): Content {
  const buttons = buildSignInButtons('admin', english);
  const note = 'This is apart from your sign-in for questions. The next review is held at its usual time.';
  return { text, blocks: [buildSection(text), buttons, buildNotes([note])] };
}

/** For the channel. `nextAt`: of the next run, epoch ms. */
export function buildProblem(
  { words }: ReviewNotDoneError,
  nextAt: number | undefined,
  { timeZone }: { timeZone: string },
): Content {
  const title = ':warning: *The scheduled review could not be done.* Nothing was compared.';
  const next = nextAt === undefined ? [] : [buildNotes([`The next one is on ${formatTime(nextAt, timeZone)}.`])];
  return { text: title, blocks: [buildSection(title), buildSection(words.text), ...next] };
}
