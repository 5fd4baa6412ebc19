import type { Texts } from '../english.ts';

export const signIn: Texts['signIn'] = {
  signIn: 'Anmelden',
  signInToAdminister: 'Für die Administration anmelden',
  why: {
    assistant:
      'Bitte melden Sie sich an, damit ich mit *Ihren* Zugriffsrechten antworten kann. Ich hebe Ihre Frage einen Tag lang auf und beantworte sie, sobald Sie angemeldet sind.',
    admin: 'Bitte melden Sie sich für die Administration an, damit der Dienst Ihre Rechte prüfen kann.',
  },
  held: 'Auch diese Frage wartet auf Ihre Anmeldung. Eine Anmeldung genügt für alle.',
  offer: (waiting) =>
    `Melden Sie sich einmal an, damit ich mit *Ihren* Zugriffsrechten antworten kann.${
      waiting === 0
        ? ''
        : waiting === 1
          ? ' Ihre Frage wartet, und ich beantworte sie, sobald Sie angemeldet sind.'
          : ` Ihre ${waiting} Fragen warten, und ich beantworte sie, sobald Sie angemeldet sind.`
    }`,
  signedInAlready: (account) =>
    `Sie sind ${toAccount(account)} angemeldet. Melden Sie sich neu an, um ein anderes Konto zu verwenden. In meinem Tab *Home* wählen Sie, wo Ihre Fragen aus Channels beantwortet werden.`,
  window: {
    title: 'Anmelden',
    loading: 'Ihr Link wird erstellt …',
    link: 'Dieser Link ist nur für Sie bestimmt. Er funktioniert einmal und gilt zehn Minuten.',
    open: 'Anmeldeseite öffnen',
    done: 'Sie können dieses Fenster schließen.',
    failed:
      'Bei mir ist ein Fehler aufgetreten, deshalb gibt es noch keinen Link. Schließen Sie dieses Fenster und versuchen Sie es noch einmal.',
  },
  signedIn: {
    assistant: (account) => `Angemeldet ${toAccount(account)}.`,
    admin: (account, goesOn) =>
      `Für die Administration ${toAccount(account)} angemeldet. ${goesOn ? 'Ich mache mit Ihrem Befehl weiter.' : 'Falls Sie auf eine Schaltfläche geklickt hatten, klicken Sie noch einmal darauf.'}`,
  },
  receipt: {
    assistant: (account) =>
      `Sie sind ${toAccount(account)} beim Assistenten angemeldet. Falls Sie das nicht selbst waren, trennen Sie die Verbindung sofort.`,
    admin: (account) =>
      `Sie sind ${toAccount(account)} für die Administration angemeldet. Falls Sie das nicht selbst waren, trennen Sie die Verbindung sofort.`,
  },
  disconnected: 'Die Verbindung ist getrennt, und Ihre Anmeldung ist hier gelöscht.',
  nothingToDisconnect: 'Sie waren nicht mehr angemeldet, es gab also keine Verbindung zu trennen.',
};

function toAccount(name: string | undefined): string {
  return name === undefined ? 'mit einem Konto ohne bekannten Namen' : `als *${name}*`;
}
