import type { ActionsBlock, Button, ModalView } from '@slack/types';
import type { AccountLink, Purpose } from '../../identity/account-link.ts';
import type { Texts } from '../../languages/english.ts';
import { MAX_BUTTON_TEXT_LENGTH } from '../web/limits.ts';
import {
  ACTIONS,
  buildButton,
  buildConfirm,
  buildPlainText,
  buildSection,
  type Content,
  toMrkdwnName,
  toTextContent,
} from './content.ts';
import { buildModal } from './modal.ts';

/** The buttons of a message that only asks to sign in. After the sign-in, another text replaces the message. */
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

/** Shown for each further question, because the first prompt may be gone or hard to find. */
export function buildHeldNote(texts: Texts): Content {
  return buildSignInPrompt('assistant', texts, texts.signIn.held);
}

/** For `/assistant sign-in`. `link`: they are signed in already. `waiting`: how many questions wait. */
export function buildSignInOffer(
  { link, waiting }: { link: Pick<AccountLink, 'accountName'> | undefined; waiting: number },
  texts: Texts,
): Content {
  const { signedInAlready, offer } = texts.signIn;
  const text = link ? signedInAlready(toAccountName(link)) : offer(waiting);
  return buildSignInPrompt('assistant', texts, text);
}

export function buildSignInModal(url: string, texts: Texts): ModalView {
  const { title, link } = texts.signIn.window;
  const open: ActionsBlock = { type: 'actions', elements: [buildSignInLink(url, texts)] };
  return buildModal({ title }, [buildSection(link), open], texts);
}

/** Opens the page where the person signs in. The address is valid for this person alone. */
export function buildSignInLink(url: string, { signIn }: Texts): Button {
  const text = buildPlainText(signIn.window.open, MAX_BUTTON_TEXT_LENGTH);
  return { type: 'button', action_id: ACTIONS.openAddress, text, style: 'primary', url };
}

/** Replaces the prompt. */
export function buildSignedIn(link: SignedIn, texts: Texts): Content {
  return toTextContent(describeSignedIn(link, texts));
}

/** Replaces the window with the link. */
export function buildSignedInModal(link: SignedIn, texts: Texts): ModalView {
  const { title, done } = texts.signIn.window;
  return buildModal({ title }, [buildSection(`${describeSignedIn(link, texts)} ${done}`)], texts);
}

/** `goesOn`: a command that waited for the sign-in is carried out now. */
type SignedIn = Pick<AccountLink, 'accountName' | 'purpose'> & { goesOn?: boolean };

function describeSignedIn({ accountName, purpose, goesOn = false }: SignedIn, { signIn }: Texts): string {
  return signIn.signedIn[purpose](toAccountName({ accountName }), goesOn);
}

/** Shown literally, whatever the name contains. Undefined if the name is unknown. */
export function toAccountName({ accountName }: Pick<AccountLink, 'accountName'>): string | undefined {
  return accountName ? toMrkdwnName(accountName, 200) : undefined;
}

/** Says which account is linked now, and offers to disconnect it. */
export function buildReceipt(accountName: string | undefined, purpose: Purpose, texts: Texts): Content {
  const text = texts.signIn.receipt[purpose](toAccountName({ accountName }));
  return {
    text,
    blocks: [buildSection(text), { type: 'actions', elements: [buildDisconnect(ACTIONS.signOut, purpose, texts)] }],
  };
}

/** Asks for confirmation, because it ends the current sign-in, even from an old message. */
export function buildDisconnect(action: string, purpose: Purpose, texts: Texts): Button {
  const { disconnect, disconnectTitle: title, disconnectText } = texts.home.account;
  const words = { title, text: disconnectText[purpose], confirm: disconnect, deny: texts.controls.cancel };
  return { ...buildButton(action, disconnect, purpose), confirm: { ...buildConfirm(words), style: 'danger' } };
}
