// Sign-in, for questions and for administration.
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
import { BAD, type Kind } from './kind.ts';

const PURPOSES = ['assistant', 'admin'] as const;

export function listSignInKinds(texts: Texts): Kind[] {
  return [
    ...listOffers(texts),
    {
      kind: 'the window with the link',
      view: buildSignInModal(`https://bridge.example/link/start?ticket=${'a'.repeat(300)}`, texts),
    },
    ...PURPOSES.flatMap((purpose): Kind[] => [
      {
        kind: `what takes the place of the link (${purpose})`,
        view: buildSignedInModal({ accountName: BAD, purpose, goesOn: purpose === 'admin' }, texts),
      },
      {
        kind: `what takes the place of a prompt (${purpose})`,
        message: buildSignedIn({ accountName: BAD, purpose, goesOn: purpose === 'admin' }, texts),
      },
      { kind: `the receipt of a sign-in (${purpose})`, message: buildReceipt('ana@acme.example', purpose, texts) },
      {
        kind: `the receipt of an account without a name (${purpose})`,
        message: buildReceipt(undefined, purpose, texts),
      },
      { kind: `the receipt of the longest name (${purpose})`, message: buildReceipt(BAD, purpose, texts) },
    ]),
  ];
}

function listOffers(texts: Texts): Kind[] {
  const offers = {
    'the offer to sign in': { link: undefined, waiting: 0 },
    'the offer while a question waits': { link: undefined, waiting: 1 },
    'the offer while questions wait': { link: undefined, waiting: 12 },
    'the offer to sign in again': { link: { accountName: '&amp;'.repeat(200) }, waiting: 0 },
    'the offer to sign in again, without a name': { link: { accountName: undefined }, waiting: 0 },
  };
  return [
    ...PURPOSES.map(
      (purpose): Kind => ({
        kind: `a prompt to sign in (${purpose})`,
        message: buildSignInPrompt(purpose, texts),
      }),
    ),
    { kind: 'a note under a held question', message: buildHeldNote(texts) },
    ...Object.entries(offers).map(([kind, offer]): Kind => ({ kind, message: buildSignInOffer(offer, texts) })),
  ];
}
