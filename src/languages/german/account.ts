import type { Texts } from '../english.ts';

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
