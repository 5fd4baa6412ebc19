import type { AnyBlock, PlainTextElement, SectionBlock } from '@slack/types';

/** The visible part of a Slack message. `text` is what a notification or a screen reader gets. */
export type Content = { text: string; blocks: AnyBlock[] };

/** What is clicked comes back under these names. They are written into messages that live for years: never rename. */
export const ACTIONS = {
  askAgain: 'ask_again',
  askWithoutWeb: 'ask_without_web',
  cancelWaiting: 'cancel_waiting',
  feedback: 'feedback',
  shareInThread: 'share_in_thread',
  signIn: 'sign_in',
  enterCode: 'enter_code',
  signOut: 'sign_out',
  /** A button that only opens an address; Slack reports the click all the same. */
  openAddress: 'open_address',
} as const;

/** The same for modals and shortcuts. */
export const CALLBACKS = {
  webOffQuestion: 'web_off_question',
  confirmCode: 'confirm_code',
  askWithoutWeb: 'ask_without_web',
} as const;

/** A sentence of ours, in mrkdwn. */
export function toTextContent(text: string): Content {
  return { text, blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }] };
}

export function buildPlainText(text: string): PlainTextElement {
  return { type: 'plain_text', text, emoji: false };
}

/** `verbatim`: Slack makes no links and mentions of what it finds in the text. */
export function buildSection(text: string): SectionBlock {
  return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } };
}
