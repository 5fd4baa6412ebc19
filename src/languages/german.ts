import type { Texts } from './english.ts';
import { answer, details, edits, feedback, webOff } from './german/answer.ts';
import { home, schedules } from './german/home.ts';
import { controls, notices, rules } from './german/notices.ts';
import { pages } from './german/pages.ts';
import { refusals } from './german/refusals.ts';
import { account, signIn, slackbot } from './german/sign-in.ts';
import { threadContext } from './german/thread-context.ts';

/** The texts for people who ask, in German. */
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
