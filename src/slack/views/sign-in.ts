import type { ActionsBlock, Button, ModalView } from '@slack/types';
import type { AccountLink, Purpose } from '../../identity/account-link.ts';
import type { Texts } from '../../languages/english.ts';
import { MAX_BUTTON_TEXT_LENGTH } from '../web/limits.ts';
import {
  ACTIONS,
  buildButton,
  buildPlainText,
  buildSection,
  buildTitle,
  type Content,
  toMrkdwnLine,
  toTextContent,
} from './content.ts';

/** The buttons of a message that only asks to sign in: once that is done, another message may take its place. */
export const PROMPT_BLOCK = 'sign_in_prompt';

/** The button carries no secret: the link is created when it is pressed, for the person who presses it. */
export function buildSignInPrompt(purpose: Purpose, texts: Texts, text = texts.signIn.why[purpose]): Content {
  const buttons = { ...buildSignInButtons(purpose, texts), block_id: PROMPT_BLOCK };
  return { text, blocks: [...toTextContent(text).blocks, buttons] };
}

/** For messages that also have other content. */
export function buildSignInButtons(purpose: Purpose, { signIn: texts }: Texts): ActionsBlock {
  const label = purpose === 'admin' ? texts.signInToAdminister : texts.signIn;
  return { type: 'actions', elements: [{ ...buildButton(ACTIONS.signIn, label, purpose), style: 'primary' }] };
}

/** Under each further question. The first prompt may be gone, and nobody should have to look for it. */
export function buildHeldNote(texts: Texts): Content {
  return buildSignInPrompt('assistant', texts, texts.signIn.held);
}

/**
 * For `/assistant sign-in`. `link`: they are signed in already; its name is escaped. `waiting`: how many questions wait.
 */
export function buildSignInOffer(
  { link, waiting }: { link: { accountName: string | undefined } | undefined; waiting: number },
  texts: Texts,
): Content {
  const { signedInAlready, offer } = texts.signIn;
  const text = link ? signedInAlready(link.accountName) : offer(waiting);
  return buildSignInPrompt('assistant', texts, text);
}

export function buildSignInModal(url: string, { signIn, controls }: Texts): ModalView {
  const label = buildPlainText(signIn.window.open, MAX_BUTTON_TEXT_LENGTH);
  const open = { type: 'button' as const, action_id: ACTIONS.openAddress, text: label, style: 'primary' as const, url };
  return {
    type: 'modal',
    title: buildTitle(signIn.window.title),
    close: buildTitle(controls.close),
    blocks: [buildSection(signIn.window.link), { type: 'actions', elements: [open] }],
  };
}

/** Takes the place of the prompt. */
export function buildSignedIn(link: SignedIn, texts: Texts): Content {
  return toTextContent(describeSignedIn(link, texts));
}

/** Takes the place of the window with the link. */
export function buildSignedInModal(link: SignedIn, texts: Texts): ModalView {
  const { window } = texts.signIn;
  return {
    type: 'modal',
    title: buildTitle(window.title),
    close: buildTitle(texts.controls.close),
    blocks: [buildSection(`${describeSignedIn(link, texts)} ${window.done}`)],
  };
}

/** `goesOn`: what waited for the sign-in is carried out now. */
type SignedIn = Pick<AccountLink, 'accountName' | 'purpose'> & { goesOn?: boolean };

function describeSignedIn({ accountName, purpose, goesOn = false }: SignedIn, { signIn }: Texts): string {
  return signIn.signedIn[purpose](toName(accountName), goesOn);
}

function toName(accountName: string | undefined): string | undefined {
  return accountName ? toMrkdwnLine(accountName, 200) : undefined;
}

/** Says which account is linked now, and offers to disconnect it. */
export function buildReceipt(accountName: string | undefined, purpose: Purpose, texts: Texts): Content {
  const text = texts.signIn.receipt[purpose](toName(accountName));
  return {
    text,
    blocks: [buildSection(text), { type: 'actions', elements: [buildDisconnect(ACTIONS.signOut, purpose, texts)] }],
  };
}

/** Asks for confirmation, because it ends the current sign-in, even from an old message. */
export function buildDisconnect(action: string, purpose: Purpose, texts: Texts): Button {
  const { account } = texts.home;
  return {
    ...buildButton(action, account.disconnect, purpose),
    confirm: {
      title: buildPlainText(account.disconnectTitle),
      text: buildPlainText(account.disconnectText[purpose]),
      confirm: buildPlainText(account.disconnect),
      deny: buildPlainText(account.cancel),
      style: 'danger',
    },
  };
}
