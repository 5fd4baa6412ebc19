import { answer, details, edits, feedback, webOff } from './english/answer.ts';
import { home, schedules } from './english/home.ts';
import { controls, notices, rules } from './english/notices.ts';
import { pages } from './english/pages.ts';
import { refusals } from './english/refusals.ts';
import { account, signIn, slackbot } from './english/sign-in.ts';
import { threadContext } from './english/thread-context.ts';
import type { Language } from './language.ts';

/** The texts for people who ask, in English. A text with values in it is a function. */
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

/** All texts for people who ask. English defines them, and every language has them all. */
export type Texts = typeof english;
