import type { Texts } from '../english.ts';

export const details: Texts['details'] = {
  title: 'Details',
  notYours: 'Die Details einer Antwort sieht nur die Person, die gefragt hat.',
  tooOld: 'Die Details dieser Antwort kenne ich nicht mehr, sie ist zu alt.',
  asked: 'Gefragt',
  took: 'Zeit bis zur Antwort',
  timeZone: 'Mitgesendete Zeitzone',
  timeZoneOfProfile: (zone) => `${zone}, aus Ihrem Slack-Profil`,
  timeZoneByDefault: (zone) => `${zone}, die Voreinstellung hier, weil in Ihrem Slack-Profil keine steht`,
  webSearch: 'Websuche',
  on: 'Ein',
  off: 'Aus',
  thread: 'Frühere Nachrichten des Threads',
  threadNone: 'Es wurden keine mitgesendet.',
  threadQuotes: (messages, cut) =>
    cut > 0 ? `Mitgesendet: ${messages}. Weggelassen oder gekürzt: ${cut}.` : `Mitgesendet: ${messages}.`,
  permalinks: 'Verlinkte Nachrichten',
  permalinksUsed: (used, refused) =>
    refused > 0 ? `Mitgesendet: ${used}. Nicht mitgesendet: ${refused}.` : `Mitgesendet: ${used}.`,
  textFiles: 'Textdateien',
  textFilesUsed: (count) => `Als Text mitgesendet: ${count}.`,
  notes: 'Dateien und Hinweise',
  noFiles: 'Der Assistent hat keine Dateien bekommen.',
  support: 'Für den Support',
  failed: 'Das kann ich gerade nicht nachsehen. Bitte versuchen Sie es später noch einmal.',
};
