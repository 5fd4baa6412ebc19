import type { ModalView } from '@slack/types';
import type { Purpose } from '../../identity/account-link.ts';
import type { LinkFlow } from '../../identity/link-flow.ts';
import { CALLBACKS } from './callbacks.ts';
import { ACTIONS, type Content, toMrkdwnLine } from './content.ts';

export const CODE_BLOCK = 'code';

const WHY: Record<Purpose, string> = {
  assistant:
    'Please sign in, so that I can answer with *your* access rights. I keep your question for a day, and answer it right after.',
  admin: 'Please sign in to the administrative interface, so that the service can check your rights.',
};

/**
 * The buttons carry no secret: the link is made when *Sign in* is pressed, for the person who presses it. `code`: the
 * browser ends with a code that has to be typed in here.
 */
export function buildSignInPrompt(purpose: Purpose, variant: LinkFlow['variant'], text = WHY[purpose]): Content {
  const enterCode = { ...buildButton(ACTIONS.enterCode, 'Enter code'), value: purpose };
  return {
    text,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text } },
      {
        type: 'actions',
        elements: [
          { ...buildButton(ACTIONS.signIn, 'Sign in'), style: 'primary', value: purpose },
          ...(variant === 'code' ? [enterCode] : []),
        ],
      },
    ],
  };
}

function buildButton(actionId: string, text: string) {
  return { type: 'button' as const, action_id: actionId, text: { type: 'plain_text' as const, text } };
}

/** Under each further question: nobody has to look for the prompt of the first, which may be gone by then. */
export function buildHeldNote(variant: LinkFlow['variant']): Content {
  const text = 'This question waits for your sign-in as well. Signing in once is enough for all of them.';
  return buildSignInPrompt('assistant', variant, text);
}

/** What somebody reads who wants to sign in. `account`: they are signed in already; `waiting`: so many questions wait. */
export function buildSignInOffer(
  variant: LinkFlow['variant'],
  { account, waiting }: { account: string | undefined; waiting: number },
): Content {
  if (account !== undefined) {
    const text = `You are signed in as *${account}*. Sign in again to use another account, or to change where your questions in channels are answered.`;
    return buildSignInPrompt('assistant', variant, text);
  }
  const held =
    waiting === 1
      ? ' Your question waits, and I answer it as soon as you have signed in.'
      : ` Your ${waiting} questions wait, and I answer them as soon as you have signed in.`;
  const text = `Sign in once, so that I can answer with *your* access rights.${waiting > 0 ? held : ''}`;
  return buildSignInPrompt('assistant', variant, text);
}

export function buildSignInModal(url: string): ModalView {
  const text = 'The link is yours alone, works once and for ten minutes.';
  return {
    type: 'modal',
    title: { type: 'plain_text', text: 'Sign in' },
    close: { type: 'plain_text', text: 'Close' },
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text } },
      {
        type: 'actions',
        elements: [{ ...buildButton(ACTIONS.openAddress, 'Open the sign-in page'), style: 'primary', url }],
      },
    ],
  };
}

export function buildCodeModal(purpose: Purpose): ModalView {
  return {
    type: 'modal',
    callback_id: CALLBACKS.confirmCode,
    title: { type: 'plain_text', text: 'Enter code' },
    submit: { type: 'plain_text', text: 'Confirm' },
    close: { type: 'plain_text', text: 'Close' },
    private_metadata: purpose,
    blocks: [
      {
        type: 'input',
        block_id: CODE_BLOCK,
        label: { type: 'plain_text', text: 'The code that the sign-in page shows' },
        element: { type: 'plain_text_input', action_id: CODE_BLOCK, max_length: 20 },
      },
    ],
  };
}

/** The receipt: who is linked now, and the way back. */
export function buildReceipt(accountName: string | undefined, purpose: Purpose): Content {
  const account = accountName ? `*${toMrkdwnLine(accountName, 200)}*` : 'an account whose name is unknown';
  const use = purpose === 'admin' ? 'administration' : 'the assistant';
  const text = `You are signed in to ${use} as ${account}. If that was not you, disconnect at once.`;
  return {
    text,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } },
      {
        type: 'actions',
        elements: [{ ...buildButton(ACTIONS.signOut, 'Disconnect'), value: purpose }],
      },
    ],
  };
}
