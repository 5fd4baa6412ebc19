import { account } from './english/account.ts';
import { answer } from './english/answer.ts';
import { controls } from './english/controls.ts';
import { details } from './english/details.ts';
import { edits } from './english/edits.ts';
import { feedback } from './english/feedback.ts';
import { home } from './english/home.ts';
import { notices } from './english/notices.ts';
import { pages } from './english/pages.ts';
import { refusals } from './english/refusals.ts';
import { rules } from './english/rules.ts';
import { schedules } from './english/schedules.ts';
import { signIn } from './english/sign-in.ts';
import { slackbot } from './english/slackbot.ts';
import { threadContext } from './english/thread-context.ts';
import { webOff } from './english/web-off.ts';
import type { Language } from './language.ts';

/** What people who ask read, in English. A text with values in it is a function. */
export const english = {
  language: 'en' as Language,
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

/** Everything that people who ask read. Every language has every text; English says which there are. */
export type Texts = typeof english;
