import type { Texts } from '../english.ts';

export const answer: Texts['answer'] = {
  sources: 'Quellen',
  notes: {
    askedAgain: (question) => `Noch einmal gefragt: „${question}“`,
    partial: 'Die Verbindung ist vor dem Ende abgebrochen. Das ist der Teil der Antwort, der noch angekommen ist.',
    contextLost:
      'Der Assistent hat in einer neuen Unterhaltung geantwortet und weiß vielleicht nicht, was hier vorher gesagt wurde.',
    sensitivity: (label) => `Vertraulichkeit: ${label}`,
    webOff: 'Für diese Antwort war die Websuche ausgeschaltet.',
    filesUsed: (names) =>
      `An den Assistenten übergebene Dateien: ${names}. Dokumente, die in den letzten 12 Stunden hochgeladen wurden, kann er unter Umständen noch nicht lesen.`,
    filesUnused: (reasons) => `Nicht verwendet: ${reasons}.`,
    more: (count) => `und ${count} weitere`,
    disclaimer: (name) =>
      `Von einer KI aus Inhalten erstellt, auf die ${name === undefined ? 'Sie Zugriff haben' : `${name} Zugriff hat`}. Prüfen Sie die Antwort, bevor Sie sich darauf verlassen.`,
  },
  unusable: {
    upload:
      'in Slack hochgeladen, wo der Assistent sie nicht lesen kann; teilen Sie stattdessen einen Link zur Datei in Ihrer Dokumentbibliothek',
    other_host: 'nicht in einer Dokumentbibliothek, die der Assistent lesen kann',
    too_many: 'zu viele Dateien für eine Frage',
    not_https: 'keine https-Adresse',
    item_id: 'nur mit einer Element-ID angegeben; teilen Sie stattdessen den Link',
  },
  askAgain: 'Erneut fragen',
  askAgainWithoutWeb: 'Ohne Websuche erneut fragen',
  shareInThread: 'Im Thread teilen',
  goodAnswer: 'Gute Antwort',
  badAnswer: 'Schlechte Antwort',
  sentPrivately: {
    linked: (channel: string) =>
      `Nur an Sie gesendet, weil Ihre Frage in ${channel} oder eine frühere in ihrem Thread auf eine Nachricht verweist, die dort nicht alle lesen können.`,
    guests: (channel: string) =>
      `Nur an Sie gesendet, weil Sie in ${channel} gefragt haben und Gäste diesen Channel lesen können.`,
    unknown: (channel: string) =>
      `Nur an Sie gesendet, weil Sie in ${channel} gefragt haben und sich nicht feststellen ließ, ob Gäste diesen Channel lesen können.`,
    chosen: (channel: string) => `Sie haben das in ${channel} gefragt und die Antwort hierher gewünscht.`,
  },
  share: {
    title: 'Diese Antwort teilen?',
    linked:
      'Ihre Frage oder eine frühere in diesem Thread verweist auf eine Nachricht, die nicht alle im Channel lesen können, und die Antwort kann deren Inhalt wiedergeben. Sie wurde mit Ihren eigenen Zugriffsrechten erstellt.',
    guests:
      'Gäste können den Channel lesen, in dem Sie gefragt haben, und damit auch die Antwort. Sie wurde mit Ihren eigenen Zugriffsrechten erstellt.',
    unknown:
      'Es ließ sich nicht feststellen, ob Gäste den Channel lesen können, in dem Sie gefragt haben. Falls ja, können sie auch die Antwort lesen. Sie wurde mit Ihren eigenen Zugriffsrechten erstellt.',
    chosen:
      'Dann können alle im Channel die Antwort lesen, auch Gäste. Sie wurde mit Ihren eigenen Zugriffsrechten erstellt.',
    confirm: 'Teilen',
    deny: 'Nicht teilen',
  },
  stub: {
    linked: (asker) =>
      `${asker} hat die Antwort als Direktnachricht erhalten, weil die Frage oder eine frühere auf eine Nachricht verweist, die hier nicht alle lesen können.`,
    guests: (asker) => `${asker} hat die Antwort als Direktnachricht erhalten, weil Gäste diesen Channel lesen können.`,
    unknown: (asker) =>
      `${asker} hat die Antwort als Direktnachricht erhalten, weil sich nicht feststellen ließ, ob Gäste diesen Channel lesen können.`,
    chosen: (asker) => `${asker} hat die Antwort wie gewünscht als Direktnachricht erhalten.`,
  },
  shared: (asker) => `${asker} teilt eine Antwort, die mit den eigenen Zugriffsrechten erstellt wurde.`,
};

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

export const edits: Texts['edits'] = {
  editedAfterEnd: 'Sie haben Ihre Frage geändert, nachdem ich damit fertig war.',
  editedTooLate: 'Sie haben Ihre Frage geändert, als ich schon daran gearbeitet habe.',
  askingEdited: 'Ich stelle die Frage erneut, so wie sie jetzt lautet.',
  askedEditedAlready: 'Diese Frage haben Sie schon erneut gestellt: Sehen Sie im Thread Ihrer Frage nach.',
};

export const feedback: Texts['feedback'] = {
  good: 'Gute Antwort',
  bad: 'Schlechte Antwort',
  intro: 'Ihre Bewertung wurde gezählt. Wenn Sie möchten, schreiben Sie mehr dazu: Alle Angaben hier sind freiwillig.',
  whatWasWrong: 'Was ist an der Antwort nicht gut?',
  reasons: {
    wrong: 'Sie ist falsch',
    outdated: 'Sie ist veraltet',
    wrong_source: 'Sie stützt sich auf die falsche Quelle',
    not_helpful: 'Sie hilft mir nicht weiter',
    too_slow: 'Sie hat zu lange gedauert',
    other: 'Etwas anderes',
  },
  comment: 'Kommentar',
  commentHint: 'Das Team, das den Assistenten betreibt, liest ihn. Ihr Name wird nicht mitgesendet.',
  text: 'Frage und Antwort',
  send: 'Die Frage und die Antwort mitsenden',
  sendHint:
    'Das Team, das den Assistenten betreibt, kann dann beides lesen. Die Antwort wurde mit Ihren eigenen Zugriffsrechten erstellt.',
  submit: 'Senden',
  sent: 'Danke. Ihr Feedback hilft, die Antworten zu verbessern.',
};

export const webOff: Texts['webOff'] = {
  usage: [
    '`/assistant-web-off Ihre Frage` stellt die Frage in diesem Channel und schaltet die Websuche für diese eine Antwort aus.',
    'In Threads gibt es in Slack keine Slash-Befehle. Schreiben Sie dort `!ohne-web` an eine beliebige Stelle Ihrer Nachricht an mich, wählen Sie im Menü einer Nachricht *Ask without web search* oder verwenden Sie die Schaltfläche unter einer Antwort.',
  ].join('\n'),
  title: 'Ohne Websuche fragen',
  label: 'Ihre Frage',
  hint: 'Die Frage ist im Channel zu sehen. Die Websuche ist nur für diese Antwort ausgeschaltet.',
  ask: 'Fragen',
  tooLong:
    'Diese Frage ist zu lang, um im Channel gezeigt zu werden, und wurde deshalb nicht gestellt. Bitte kürzen Sie sie, oder schreiben Sie mir eine Nachricht, die !ohne-web enthält.',
};
