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

export const account: Texts['account'] = {
  newConversation:
    'Jeder Thread ist eine eigene Unterhaltung. Um eine neue zu beginnen, schreiben Sie mir außerhalb eines Threads oder erwähnen Sie mich in einer neuen Nachricht.',
  privacy: [
    '*Was gespeichert wird:* Ihre Anmeldung in verschlüsselter Form; bis zu 30 Tage lang zu jeder Frage, wann und wo sie gestellt wurde, wie sie ausging und was unter *Details* steht; bis zu 180 Tage nach der letzten Verwendung, welcher Slack-Thread zu welcher Unterhaltung mit dem Assistenten gehört; Ihre geplanten Fragen in verschlüsselter Form, bis Sie sie beenden; Ihre Bewertungen von Antworten für 30 Tage und Nutzungszahlen, beides ohne Ihren Namen.',
    '*Was nicht gespeichert wird:* Ihre Fragen, was mit ihnen mitgesendet wird, und die Antworten. Sie werden nur vorgehalten, bis die Antwort gesendet ist. Slack und der Dienst des Assistenten speichern eigene Kopien.',
    '*Was an den Dienst des Assistenten geht:* Ihre Frage, Ihre Zeitzone, Textdateien, die Sie hochladen, und Links zu Dokumenten. Außerdem, sofern es nicht ausgeschaltet ist, was andere im Thread geschrieben haben, und Nachrichten, auf die Sie verlinken, jeweils mit Namen. Wie viel es war, steht unter einer Antwort in den *Details*.',
    '*Wer Ihr Feedback liest:* das Team, das den Assistenten betreibt, ohne Ihren Namen; Ihre Frage und die Antwort nur, wenn Sie das ankreuzen.',
    '*Wie Sie Ihre Daten löschen:* `/assistant sign-out` löscht Ihre Anmeldung sofort. *Meine Daten löschen* darunter entfernt auch alles andere außer Bewertungen und Nutzungszahlen.',
  ].join('\n'),
  unknownWord: (word) =>
    `Das Wort \`${word}\` kenne ich nicht. Versuchen Sie \`/assistant hilfe\`, \`sign-in\` (anmelden), \`sign-out\` (abmelden), \`status\`, \`schedule\` (geplante Fragen), \`privacy\` (Datenschutz) oder \`new\` (neue Unterhaltung).`,
  wasNotSignedIn: 'Sie waren nicht angemeldet.',
  signedOut:
    'Sie sind abgemeldet, und Ihre Anmeldung ist hier gelöscht. Wenn Sie mich das nächste Mal etwas fragen, bitte ich Sie, sich wieder anzumelden.',
  notSignedIn:
    'Sie sind nicht angemeldet. Geben Sie `/assistant sign-in` ein oder fragen Sie mich etwas, dann bitte ich Sie um die Anmeldung.',
  signedIn: (account, since) =>
    account === undefined
      ? `Sie sind seit dem ${since} mit einem Konto angemeldet, dessen Name nicht bekannt ist.`
      : `Sie sind seit dem ${since} als *${account}* angemeldet.`,
  profileZone: (zone) => `Mit jeder Frage wird Ihre Zeitzone mitgesendet: ${zone}, aus Ihrem Slack-Profil.`,
  defaultZone: (zone) =>
    `In Ihrem Slack-Profil steht keine Zeitzone. Deshalb wird mit jeder Frage ${zone} mitgesendet, die hier voreingestellte Zeitzone.`,
  answeredPrivately:
    'Fragen, die Sie in Channels stellen, werden in einer Direktnachricht beantwortet. Das können Sie in meinem Tab *Home* ändern.',
  answeredInThread:
    'Fragen, die Sie in Channels stellen, werden im Thread beantwortet, wo alle Mitglieder mitlesen können. Das können Sie in meinem Tab *Home* ändern.',
};

export const slackbot: Texts['slackbot'] = {
  cut: 'Der Rest der Antwort fehlt hier. Fragen Sie mich in einer Direktnachricht, um alles zu lesen.',
  working:
    'Der Assistent arbeitet noch daran. Stellen Sie in einer Minute genau dieselbe Frage, um die Antwort zu bekommen: Sie wird nicht ein zweites Mal gestellt.',
  tooOften:
    'Das waren viele Fragen in einer Minute, deshalb wurde diese nicht gestellt. Bitte warten Sie einen Moment.',
};
