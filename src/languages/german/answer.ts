import type { Texts } from '../english.ts';

export const answer: Texts['answer'] = {
  sources: 'Quellen',
  sourcesAndNotes: 'Quellen und Hinweise',
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
    moreFiles: (count) => `und ${count} weitere`,
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
