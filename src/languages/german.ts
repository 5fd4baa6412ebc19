import type { Texts } from './english.ts';
import { account } from './german/account.ts';
import { answer } from './german/answer.ts';
import { controls } from './german/controls.ts';
import { details } from './german/details.ts';
import { edits } from './german/edits.ts';
import { feedback } from './german/feedback.ts';
import { home } from './german/home.ts';
import { notices } from './german/notices.ts';
import { pages } from './german/pages.ts';
import { refusals } from './german/refusals.ts';
import { rules } from './german/rules.ts';
import { schedules } from './german/schedules.ts';
import { signIn } from './german/sign-in.ts';
import { slackbot } from './german/slackbot.ts';
import { threadContext } from './german/thread-context.ts';
import { webOff } from './german/web-off.ts';

/** What people who ask read, in German. */
export const german: Texts = {
  language: 'de',
  account,
  answer,
  controls,
  notices,
  pages,
  refusals,
  signIn,
  webOff,
  details,
  edits,
  feedback,
  home,
  rules,
  schedules,
  slackbot,
  threadContext,
};
