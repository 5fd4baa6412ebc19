// Why a scheduled review could not be held, in words for its channel and for the admin with whose rights it reads.
import { UserError } from '../../errors.ts';
import { english } from '../../languages/english.ts';
import { buildSection, type Content, formatTime, toContent, toMrkdwnLine } from '../../slack/views/content.ts';
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

const READS = 'The scheduled review reads with your rights, and';
const MEND_ADMIN = 'Whoever runs it names somebody else in `REVIEW_AS`, or adds them to `ADMIN_USERS`.';
const OTHER_CHANNEL = 'have whoever runs this app name another one in `REVIEW_CHANNEL`.';

const toBoth = (text: string) => ({ text, direct: text });

/** The code of an error: the service cannot be read now, but perhaps later. */
export const UNREAD = 'review_unread';

/** `id`: of the reviewer, or of the channel. */
export const PROBLEMS = {
  not_signed_in: (id) => ({
    text: `<@${id}>, with whose rights it reads, is not signed in to the administrative interface. They give \`/assistant-admin sign-in\`, or use the button that I sent them.`,
    direct: `${READS} you are not signed in to the administrative interface any more. It is not held until you sign in again.`,
    helpsSignIn: true,
  }),
  not_admin: (id) => ({
    text: `<@${id}>, with whose rights it reads, is not one of the administrators of this app any more. ${MEND_ADMIN}`,
    direct: `${READS} you are not one of the administrators of this app any more. ${MEND_ADMIN}`,
  }),
  admin_forbidden: (id) => ({
    text: `The administrative service does not let the account of <@${id}>, with whose rights it reads, look at everything. They need the administrator role there.`,
    direct: `${READS} the administrative service does not let your account look at everything. Ask for the administrator role there, or sign in with an account that has it.`,
    helpsSignIn: true,
  }),
  not_in_channel: (id) =>
    toBoth(
      `The app is not in the channel <#${id}>, where the scheduled review is posted. Invite it there, or ${OTHER_CHANNEL}`,
    ),
  channel_shared: (id) =>
    toBoth(
      `People of other organisations read the channel <#${id}>, so the scheduled review is not posted there any more. End the sharing, or ${OTHER_CHANNEL}`,
    ),
  not_posted: (id, slackError) =>
    toBoth(
      `Slack does not let the app post into <#${id}> (${toMrkdwnLine(slackError, 60)}), where the scheduled review is to go.`,
    ),
  policy_empty: () => ({
    text: 'The policy is empty, so there is nothing to compare with. `/assistant-admin review` drafts one.',
  }),
  [UNREAD]: () => ({ text: 'Most environments could not be read, or none was listed.' }),
  took_too_long: () => ({ text: 'It took longer than an hour: the administrative service is too slow.' }),
  failed: () => ({ text: 'Something went wrong in this app, or in what it depends on. Its log says what.' }),
} satisfies Record<string, (id: string, slackError: string) => ProblemWords>;

export type ProblemCode = keyof typeof PROBLEMS;

/** `names`: the id of the reviewer or channel that it is about, and what Slack says. */
export function notDone(
  code: ProblemCode,
  [id = '', slackError = '']: readonly string[] = [],
  options?: ErrorOptions,
): ReviewNotDoneError {
  return new ReviewNotDoneError(code, PROBLEMS[code](id, slackError), options);
}

/** `sentence`: plain, perhaps from outside. */
export function notRead({ code, sentence }: { code: string; sentence: string }): ReviewNotDoneError {
  return new ReviewNotDoneError(code, { text: toMrkdwnLine(sentence, 500) });
}

/** For the reviewer. */
export function buildDirect({ words }: ReviewNotDoneError): Content {
  const text = words.direct ?? `The scheduled review could not be held. ${words.text}`;
  if (!words.helpsSignIn) return buildAdminText(text);
  const note = 'This is separate from your sign-in for questions. The next review is held at its usual time.';
  return toContent([buildSection(text), buildSignInButtons('admin', english), buildNotes([note])]);
}

/** For the channel. `nextAt`: of the next run, epoch ms. */
export function buildProblem({ words }: ReviewNotDoneError, nextAt: number | undefined, timeZone: string): Content {
  const title = ':warning: *The scheduled review could not be held.* Nothing was compared.';
  const once = 'This message is posted once, until the reason changes.';
  const note = nextAt === undefined ? once : `${once} The next review is on ${formatTime(nextAt, timeZone)}.`;
  return toContent([buildSection(title), buildSection(words.text), buildNotes([note])]);
}
