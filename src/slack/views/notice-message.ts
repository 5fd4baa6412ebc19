import type { AnyBlock } from '@slack/types';
import type { Notice, NoticeCode } from '../../conversation/outcome.ts';
import { ACTIONS, type Content } from './content.ts';
import { HELP } from './help.ts';
import { toMrkdwnLine } from './shown-text.ts';

type Sentence = { text: string; offers?: 'ask_again' | 'sign_in' };

/** What went wrong, what it means, what to do next: one sentence each. */
const SENTENCES: Record<NoticeCode, Sentence> = {
  interrupted: {
    text: 'I was interrupted while the assistant was working on this. It may have counted as a question, so I did not ask again by myself.',
    offers: 'ask_again',
  },
  outcome_unknown: {
    text: 'The assistant did not answer in time, or the connection broke. It may have counted as a question, so I did not ask again by myself.',
    offers: 'ask_again',
  },
  unavailable: {
    text: 'I could not get through for ten minutes, so I stopped trying. Your question was not processed.',
    offers: 'ask_again',
  },
  empty: { text: 'The assistant had no answer to this. Try to ask it in other words.', offers: 'ask_again' },
  disengaged: {
    text: 'The assistant ended this conversation and takes no more questions in it. Your next question here starts a new one.',
  },
  forbidden: {
    text: 'The assistant refused your account. Usually a licence or a consent is missing: please ask your administrator.',
  },
  rejected: { text: 'The assistant refused this question as it is. Try to ask it in other words.' },
  too_long: { text: 'That is too long for the assistant. Please shorten the question and send it again.' },
  busy: {
    text: 'The assistant is still busy with an earlier question of this thread. Please try again in a moment.',
    offers: 'ask_again',
  },
  sign_in_expired: {
    text: 'This question waited a day for you to sign in, and I stopped waiting. Sign in and ask again.',
    offers: 'ask_again',
  },
  sign_in_lost: {
    text: 'I cannot open what I keep of your sign-in any more. Please sign in again, then ask once more.',
    offers: 'sign_in',
  },
  account_unusable: {
    text: 'The assistant refused the account you signed in with. Please sign in again, with your work account.',
    offers: 'sign_in',
  },
  sign_in_broken: {
    text: 'The sign-in is not set up correctly, so I cannot ask for you. This is for the operators of this app to mend; then ask again.',
    offers: 'ask_again',
  },
  question_gone: { text: 'I cannot find that question in Slack any more. Please write it again.' },
  no_question: { text: `I did not find a question in that message. ${HELP}` },
  help: { text: HELP },
  cannot_post: {
    text: 'I cannot write in that conversation: I am not in it, or what I was to answer is gone. Invite me there with `/invite`, or ask me here.',
  },
  guest: { text: 'I answer members of this organisation only, so I cannot answer you here.' },
  shared_channel: {
    text: 'This channel is shared with another organisation, so I do not answer in it. Ask me in a direct message instead.',
  },
  stopped: { text: 'Stopped.', offers: 'ask_again' },
  cancelled: { text: 'Cancelled.' },
  failed: {
    text: 'Something failed on my side. Your question was not answered; the operators can see why.',
    offers: 'ask_again',
  },
};

export function buildNotice(turnId: string, notice: Notice): Content {
  const { text, offers } = SENTENCES[notice.code];
  const blocks: AnyBlock[] = [{ type: 'section', text: { type: 'mrkdwn', text } }];
  if (notice.detail) {
    const text = `The assistant said: ${toMrkdwnLine(notice.detail, 500)}`;
    blocks.push({ type: 'context', elements: [{ type: 'mrkdwn', text, verbatim: true }] });
  }
  if (offers) blocks.push({ type: 'actions', elements: [toButton(offers, turnId)] });
  return { text, blocks };
}

function toButton(offers: 'ask_again' | 'sign_in', turnId: string) {
  const isSignIn = offers === 'sign_in';
  return {
    type: 'button' as const,
    action_id: isSignIn ? ACTIONS.signIn : ACTIONS.askAgain,
    text: { type: 'plain_text' as const, text: isSignIn ? 'Sign in' : 'Ask again' },
    value: isSignIn ? 'assistant' : turnId,
  };
}
