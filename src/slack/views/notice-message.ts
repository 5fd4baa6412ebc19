import type { Notice, NoticeCode } from '../../conversation/outcome.ts';
import type { Question } from '../../conversation/question.ts';
import type { Turn } from '../../conversation/turn.ts';
import { SECTION_LIMIT } from '../text-out/message-budget.ts';
import { escapeMrkdwn } from '../text-out/neutralise.ts';
import { toPlainText } from '../text-out/plain-text.ts';
import { ACTIONS, buildButton, type Content, toMrkdwnLine, toTextContent } from './content.ts';

/** What the assistant can and cannot do; fits into any message. */
export const HELP = [
  'Ask me in a direct message, or mention me in a channel; inside our thread just go on writing.',
  'I answer from what *you* have access to, and from the web. `/assistant-web-off your question` keeps the web out of one answer; inside a thread write `!web-off` anywhere in your message.',
  'Share a link to a document in your library, and I pass it on with your question.',
  'I cannot do anything for you (send, create or change things), I answer in text only, and I can be wrong: check what matters.',
  '`/assistant` shows your account, `/assistant privacy` what is kept.',
].join('\n');

export const PRIVACY = [
  '*What is kept:* which Slack thread belongs to which conversation of the assistant; your sign-in, encrypted; and of each question when it was asked and how it ended, for 30 days.',
  '*What is not kept:* your questions and the answers. They are held only until the answer is posted; Slack and the assistant service keep their own copies.',
  '*How to remove it:* `/assistant sign-out` deletes your sign-in at once.',
].join('\n');

export const WEB_OFF_USAGE = [
  '`/assistant-web-off your question` asks in this channel, with web search off for that one answer.',
  'Slack has no commands inside threads. There, write `!web-off` anywhere in your message to me, or use *Ask without web search* in the menu of a message, or the button under an answer.',
].join('\n');

/** The question is read from these blocks when it is asked again. */
export const QUESTION_BLOCK = 'question';

type Sentence = { text: string; offers?: 'ask_again' | 'sign_in' };

/** What went wrong, what it means and what to do next. */
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

/** Why a question waits, by error code. */
const REASONS: Record<string, string> = {
  assistant_throttled: 'The assistant is busy and asks me to wait.',
  conversation_busy: 'The assistant is still busy with an earlier question of this thread.',
  identity_provider_unavailable: 'The sign-in service cannot be reached at the moment.',
  slack_reading_limited: 'Slack lets me read messages only now and then, and asks me to wait.',
  token_key_unknown: 'I cannot open your sign-in at the moment.',
};

const UNREACHABLE = 'The assistant cannot be reached at the moment.';

export function buildNotice(turnId: string, notice: Notice): Content {
  const { text, offers } = SENTENCES[notice.code];
  const { blocks } = toTextContent(text);
  if (notice.detail) {
    const text = `The assistant said: ${toMrkdwnLine(notice.detail, 500)}`;
    blocks.push({ type: 'context', elements: [{ type: 'mrkdwn', text, verbatim: true }] });
  }
  if (offers) blocks.push({ type: 'actions', elements: [toButton(offers, turnId)] });
  return { text, blocks };
}

/** Shown in the thread while a question waits. The reply replaces it. */
export function buildWaiting({ id, waitingFor = '' }: Turn): Content {
  const text = `${REASONS[waitingFor] ?? UNREACHABLE} Your question is kept, and I answer it here as soon as that is over; after ten minutes I stop trying.`;
  const { blocks } = toTextContent(`:hourglass_flowing_sand: ${text}`);
  const cancel = buildButton(ACTIONS.cancelWaiting, 'Cancel the question', id);
  return { text, blocks: [...blocks, { type: 'actions', elements: [cancel] }] };
}

/** A slash command leaves no message: this one shows the question in the channel and starts the thread. */
export function buildRoot({ asker, text, webSearch }: Question): Content {
  const how = webSearch ? 'asked' : 'asked, with web search off';
  const sections = splitEvery(escapeMrkdwn(text), SECTION_LIMIT).map((part, index) => ({
    type: 'section' as const,
    block_id: `${QUESTION_BLOCK}${index}`,
    text: { type: 'mrkdwn' as const, text: part, verbatim: true },
  }));
  return {
    text: toPlainText(text),
    blocks: [{ type: 'context', elements: [{ type: 'mrkdwn', text: `<@${asker.user}> ${how}:` }] }, ...sections],
  };
}

function toButton(offers: 'ask_again' | 'sign_in', turnId: string) {
  if (offers === 'sign_in') return buildButton(ACTIONS.signIn, 'Sign in', 'assistant');
  return buildButton(ACTIONS.askAgain, 'Ask again', turnId);
}

/** Never splits an entity. */
function splitEvery(text: string, limit: number): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > limit) {
    const entity = rest.lastIndexOf('&', limit);
    const end = entity > limit - 6 ? entity : limit;
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...parts, rest];
}
