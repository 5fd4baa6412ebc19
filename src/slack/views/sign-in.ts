import type { ModalView } from '@slack/types';
import type { Purpose } from '../../identity/account-link.ts';
import type { LinkFlow } from '../../identity/link-flow.ts';
import { CALLBACKS } from './callbacks.ts';
import {
  ACTIONS,
  buildButton,
  buildPlainText,
  buildSection,
  type Content,
  toMrkdwnLine,
  toTextContent,
} from './content.ts';

export const CODE_BLOCK = 'code';

const WHY: Record<Purpose, string> = {
  assistant:
    'Please sign in, so that I can answer with *your* access rights. I keep your question for a day, and answer it right after.',
  admin: 'Please sign in to the administrative interface, so that the service can check your rights.',
};

/**
 * The buttons carry no secret: the link is created when *Sign in* is pressed, for the person who presses it. Variant
 * `code`: the browser ends with a code to type in here.
 */
export function buildSignInPrompt(purpose: Purpose, variant: LinkFlow['variant'], text = WHY[purpose]): Content {
  const signIn = { ...buildButton(ACTIONS.signIn, 'Sign in', purpose), style: 'primary' as const };
  const enterCode = buildButton(ACTIONS.enterCode, 'Enter code', purpose);
  const elements = variant === 'code' ? [signIn, enterCode] : [signIn];
  return { text, blocks: [...toTextContent(text).blocks, { type: 'actions', elements }] };
}

/** Under each further question, so that nobody has to look for the first prompt, which may be gone. */
export function buildHeldNote(variant: LinkFlow['variant']): Content {
  const text = 'This question waits for your sign-in as well. Signing in once is enough for all of them.';
  return buildSignInPrompt('assistant', variant, text);
}

/** For `/assistant sign-in`. `account`: they are signed in already; `waiting`: how many questions wait. */
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
  const label = buildPlainText('Open the sign-in page');
  const open = { type: 'button' as const, action_id: ACTIONS.openAddress, text: label, style: 'primary' as const, url };
  return {
    type: 'modal',
    title: buildPlainText('Sign in'),
    close: buildPlainText('Close'),
    blocks: [
      buildSection('This link is only for you. It works once, for ten minutes.'),
      { type: 'actions', elements: [open] },
    ],
  };
}

export function buildCodeModal(purpose: Purpose): ModalView {
  return {
    type: 'modal',
    callback_id: CALLBACKS.confirmCode,
    title: buildPlainText('Enter code'),
    submit: buildPlainText('Confirm'),
    close: buildPlainText('Close'),
    private_metadata: purpose,
    blocks: [
      {
        type: 'input',
        block_id: CODE_BLOCK,
        label: buildPlainText('The code that the sign-in page shows'),
        element: { type: 'plain_text_input', action_id: CODE_BLOCK, max_length: 20 },
      },
    ],
  };
}

/** Says which account is linked now, and offers to disconnect it. */
export function buildReceipt(accountName: string | undefined, purpose: Purpose): Content {
  const account = accountName ? `*${toMrkdwnLine(accountName, 200)}*` : 'an account whose name is unknown';
  const use = purpose === 'admin' ? 'administration' : 'the assistant';
  const text = `You are signed in to ${use} as ${account}. If that was not you, disconnect at once.`;
  return {
    text,
    blocks: [buildSection(text), { type: 'actions', elements: [buildButton(ACTIONS.signOut, 'Disconnect', purpose)] }],
  };
}
