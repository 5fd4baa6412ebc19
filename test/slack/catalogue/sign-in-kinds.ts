// Sign-in, for questions and for administration.
import type { Purpose } from '../../../src/identity/account-link.ts';
import type { Texts } from '../../../src/languages/english.ts';
import {
  buildHeldNote,
  buildReceipt,
  buildSignedIn,
  buildSignedInModal,
  buildSignInModal,
  buildSignInOffer,
  buildSignInPrompt,
} from '../../../src/slack/views/sign-in.ts';
import { BAD, type Kind, type Shown, toKinds } from './kind.ts';

export function listSignInKinds(texts: Texts): Kind[] {
  const offer = (waiting: number, link?: Parameters<typeof buildSignInOffer>[0]['link']) =>
    buildSignInOffer({ link, waiting }, texts);
  return toKinds({
    'a note under a held question': buildHeldNote(texts),
    'the offer to sign in': offer(0),
    'the offer while a question waits': offer(1),
    'the offer while questions wait': offer(12),
    'the offer to sign in again': offer(0, { accountName: '&amp;'.repeat(200) }),
    'the offer to sign in again, without a name': offer(0, { accountName: undefined }),
    'the window with the link': buildSignInModal(`https://bridge.example/link/start?ticket=${'a'.repeat(300)}`, texts),
    ...listOfPurpose('assistant', texts),
    ...listOfPurpose('admin', texts),
  });
}

function listOfPurpose(purpose: Purpose, texts: Texts): Shown {
  const link = { accountName: BAD, purpose, goesOn: purpose === 'admin' };
  return {
    [`a prompt to sign in (${purpose})`]: buildSignInPrompt(purpose, texts),
    [`what takes the place of the link (${purpose})`]: buildSignedInModal(link, texts),
    [`what takes the place of a prompt (${purpose})`]: buildSignedIn(link, texts),
    [`the receipt of a sign-in (${purpose})`]: buildReceipt('ana@acme.example', purpose, texts),
    [`the receipt of an account without a name (${purpose})`]: buildReceipt(undefined, purpose, texts),
    [`the receipt of the longest name (${purpose})`]: buildReceipt(BAD, purpose, texts),
  };
}
