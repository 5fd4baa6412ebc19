import type { Texts } from '../english.ts';

export const home: Texts['home'] = {
  greeting: {
    hello:
      'Guten Tag! Über mich nutzen Sie in Slack den Assistenten Ihrer Organisation. Fragen Sie mich hier oder erwähnen Sie mich in einem Channel, so wie Sie eine Kollegin oder einen Kollegen fragen würden.',
    abilities:
      'Ich antworte aus Inhalten, auf die *Sie* Zugriff haben, und aus dem Web. Ich antworte nur mit Text: Ich kann nichts senden, anlegen oder ändern. Ich kann mich irren, prüfen Sie also, worauf es ankommt.',
    examples:
      'Zum Beispiel:\n• _Was steht heute an, und was sollte ich dafür vorbereiten?_\n• _Was haben wir zu den Reisekosten beschlossen?_',
    signIn:
      'Melden Sie sich einmal an, damit ich mit *Ihren* Zugriffsrechten antworten kann. Sie können auch zuerst fragen: Ich hebe Ihre Frage einen Tag lang auf und beantworte sie, sobald Sie angemeldet sind.',
    moreInHome: 'Im Tab *Home* oben finden Sie Ihr Konto, Ihre Einstellungen und Ihre Daten.',
    outsider:
      'Guten Tag! Ich antworte nur Mitgliedern dieser Organisation und kann Ihnen deshalb nicht antworten. Als Gast können Sie jemanden aus der Organisation bitten, mich zu fragen.',
  },
  prompts: [
    { title: 'Was kann ich hier fragen?', message: 'Hilfe' },
    {
      title: 'Was steht heute an?',
      message: 'Was steht heute in meinem Kalender, und was sollte ich dafür vorbereiten?',
    },
    {
      title: 'Was habe ich verpasst?',
      message: 'Bitte die wichtigsten Nachrichten zusammenfassen, die ich seit gestern bekommen habe.',
    },
    {
      title: 'Ein Dokument finden',
      message: 'Welche Dokumente hat mein Team diese Woche geändert, und was ist darin neu?',
    },
  ],
  account: {
    title: 'Ihr Konto',
    signedIn: (name: string, since: string) =>
      `Sie sind seit dem ${since} als *${name}* angemeldet. Ich antworte mit den Zugriffsrechten dieses Kontos.`,
    nameUnknown: 'Konto ohne bekannten Namen',
    signedOut:
      'Sie sind nicht angemeldet. Verbinden Sie einmal Ihr Geschäftskonto, damit ich mit *Ihren* Zugriffsrechten antworten kann.',
    admin: (name: string) => `Für die Administration sind Sie als ${name} angemeldet.`,
    connect: 'Verbinden',
    connectOther: 'Anderes Konto verwenden',
    disconnect: 'Verbindung trennen',
    disconnectTitle: 'Verbindung trennen?',
    disconnectText: {
      assistant:
        'Ihre Anmeldung wird hier gelöscht. Wenn Sie mich das nächste Mal etwas fragen, bitte ich Sie, sich wieder anzumelden.',
      admin:
        'Ihre Anmeldung wird hier gelöscht. Bei Ihrem nächsten Admin-Befehl bitte ich Sie, sich wieder anzumelden.',
    },
  },
  preferences: {
    title: 'Ihre Einstellungen',
    channelAnswers: '*Fragen in Channels* beantworte ich …',
    channelAnswersUnknown:
      '*Fragen in Channels:* Bei der Anmeldung wählen Sie, wo ich sie beantworte. Später können Sie das hier ändern.',
    inThread: '… im Thread',
    inDirectMessage: '… in einer Direktnachricht',
    channelAnswersHint:
      'Eine Antwort im Thread können alle Mitglieder des Channels lesen. Sie wird mit Ihren eigenen Zugriffsrechten erstellt.',
    zoneOfProfile: (zone: string) =>
      `*Zeitzone:* ${zone}, aus Ihrem Slack-Profil. Sie wird mit jeder Frage mitgesendet.`,
    zoneByDefault: (zone: string) =>
      `*Zeitzone:* ${zone}, die Voreinstellung hier, weil in Ihrem Slack-Profil keine steht. Sie wird mit jeder Frage mitgesendet.`,
    caps: '*Fragen, deren Zahl die Administration begrenzt:*',
    cap: (channel, asked, most, until) =>
      `${channel}: heute ${asked} von ${most} gestellt; um ${until} beginnt der nächste Tag.`,
    inLanguage:
      '*Sprache:* Deutsch. Ich verwende die Sprache, die Sie in Slack eingestellt haben, sofern ich sie spreche.',
  },
  abilities: {
    title: 'Was ich kann und was nicht',
    can: '*Ich kann* aus Inhalten antworten, auf die Sie Zugriff haben, etwa aus Dokumenten und Ihrem Kalender, und aus dem Web. Fragen Sie mich unter *Nachrichten* oder erwähnen Sie mich in einem Channel. In unserem Thread schreiben Sie danach einfach weiter. Um nach etwas zu fragen, das jemand anderes geschrieben hat, wählen Sie im Menü der Nachricht *Ask about this message*.',
    cannot:
      '*Ich kann nichts* für Sie senden, anlegen oder ändern. Ich antworte nur mit Text und kann mich irren: Prüfen Sie, worauf es ankommt.',
    try: (examples: string) => `*Probieren Sie zum Beispiel:*\n${examples}`,
    help: '`/assistant-web-off Ihre Frage` schaltet die Websuche für eine Antwort aus. Mehr dazu mit `/assistant hilfe`.',
  },
  privacy: {
    title: 'Ihre Daten',
    text: 'Ich speichere Ihre Anmeldung (verschlüsselt), welcher Thread zu welcher Unterhaltung gehört, und bis zu 30 Tage lang die Angaben zu jeder Frage, etwa wann Sie gefragt haben und wie es ausging. Ihre Fragen und die Antworten behalte ich nur, bis die Antwort gesendet ist, geplante Fragen, bis Sie sie beenden. Mehr dazu mit `/assistant privacy`.',
    show: 'Meine Daten anzeigen',
    export: 'Meine Daten exportieren',
    delete: 'Meine Daten löschen',
  },
  storeFails:
    'Ich erreiche meine eigenen Aufzeichnungen gerade nicht und kann Ihr Konto deshalb nicht anzeigen. Bitte öffnen Sie diesen Tab in ein paar Minuten noch einmal.',
  outsider: 'Ich antworte nur Mitgliedern dieser Organisation. Deshalb gibt es hier nichts für Sie.',
  data: {
    looking: 'Ich sehe nach, was über Sie gespeichert ist …',
    title: 'Ihre Daten',
    signIn: (name: string, since: string) => `*Anmeldung:* ${name}, seit dem ${since}. Die Tokens sind verschlüsselt.`,
    adminSignIn: (name: string, since: string) => `*Anmeldung für die Administration:* ${name}, seit dem ${since}.`,
    noSignIn: '*Anmeldung:* keine.',
    channelAnswers: (isPrivate: boolean) =>
      `*Fragen in Channels* beantworte ich ${isPrivate ? 'in einer Direktnachricht' : 'im Thread'}.`,
    questions: (count: number, open: number) =>
      `*Fragen:* ${count}${open > 0 ? `, davon ${open} noch nicht abgeschlossen` : ''}. Gespeichert ist jeweils, bis zu 30 Tage lang, wann und wo gefragt wurde, wie es ausging und was unter *Details* steht; der Text nur, bis die Frage beantwortet ist.`,
    threads: (threads: number, conversations: number) =>
      `*Threads*, in denen Sie gefragt haben: ${threads}, und *Unterhaltungen* mit dem Assistenten darin: ${conversations}. Gespeichert bis zu 180 Tage nach der letzten Verwendung.`,
    scheduled: (count: number) =>
      `*Geplante Fragen:* ${count}. Ihr Text wird verschlüsselt gespeichert, bis Sie sie beenden.`,
    feedback: '*Bewertungen* von Antworten werden 30 Tage lang gespeichert, aber nicht unter Ihrem Namen.',
    elsewhere:
      'Slack und der Dienst des Assistenten speichern Ihre Fragen und die Antworten nach ihren eigenen Regeln.',
    audit: 'Was Sie in der Administration geändert haben, bleibt unter Ihrem Namen im Protokoll.',
    exporting: 'Ich stelle Ihre Daten zusammen …',
    exported: 'Ihre Daten stehen jetzt als JSON in unseren Direktnachrichten. Nur Sie können sie dort lesen.',
    exportHead: (part: number, parts: number) =>
      parts === 1 ? 'Ihre Daten als JSON:' : `Ihre Daten als JSON, Teil ${part} von ${parts}:`,
    deleteTitle: 'Daten löschen?',
    deleteWhat:
      '*Das wird gelöscht:*\n• Ihre Anmeldungen mit ihren Tokens; widerrufen lassen sich diese von hier aus nicht, beim Anmeldedienst laufen sie von selbst ab\n• welche Unterhaltungen Ihnen gehören: In unseren Threads beginnen neue\n• die Angaben zu Ihren Fragen, etwa wann Sie gefragt haben und wie es ausging; die Schaltflächen unter früheren Antworten funktionieren dann nicht mehr\n• Ihre geplanten Fragen\nFragen, die noch nicht beantwortet sind, werden abgebrochen.',
    deleteNot:
      '*Das bleibt:*\n• Nachrichten in Slack und was der Dienst des Assistenten speichert, nach deren eigenen Regeln\n• das Protokoll der Administration, wenn Sie dort etwas geändert haben\n• Bewertungen von Antworten und Nutzungszahlen, die Ihren Namen nicht enthalten, bis sie ablaufen\n• Sicherungskopien, bis sie ablaufen\nSie können sich jederzeit wieder anmelden.',
    deleteSubmit: 'Löschen',
    deleting: 'Ich lösche …',
    deleted: (signIns: number, records: number) =>
      `Erledigt. Gelöscht: ${signIns === 1 ? 'eine Anmeldung' : `${signIns} Anmeldungen`} und ${records === 1 ? 'ein Eintrag' : `${records} Einträge`} zu Fragen und Unterhaltungen.`,
    cancelled: (count: number) =>
      count === 1 ? 'Eine Frage wurde abgebrochen.' : `${count} Fragen wurden abgebrochen.`,
    left: 'Noch nicht alle Ihre Fragen sind abgeschlossen. Löschen Sie in einer Minute noch einmal, um auch zu entfernen, was zu ihnen gespeichert ist.',
    failed:
      'Ich erreiche meine eigenen Aufzeichnungen gerade nicht. Bitte versuchen Sie es in ein paar Minuten noch einmal.',
    failedHalfway:
      'Das konnte ich nicht abschließen. Ein Teil Ihrer Daten ist vielleicht noch da. Bitte versuchen Sie es in ein paar Minuten noch einmal.',
    exportFailed: 'Ich konnte nicht alle Ihre Daten senden. Bitte versuchen Sie es in ein paar Minuten noch einmal.',
  },
};

export const schedules: Texts['schedules'] = {
  button: 'Regelmäßig fragen…',
  title: 'Regelmäßig fragen',
  intro: 'Ich stelle diese Frage mit Ihren eigenen Zugriffsrechten und antworte in unseren Direktnachrichten.',
  question: 'Ihre Frage',
  days: 'Tage',
  time: 'Uhrzeit',
  timeHint: (zone) => `Nach der Uhr von ${zone}, Ihrer Zeitzone in Slack.`,
  submit: 'Speichern',
  timeFormat: "cccc, d. LLLL, 'um' HH:mm 'Uhr'",
  saved: (first) =>
    `Gespeichert. Ich stelle die Frage zum ersten Mal am ${first}. Im Tab *Home* sehen und beenden Sie Ihre geplanten Fragen.`,
  full: (most) => `Sie haben bereits ${most} geplante Fragen. Beenden Sie zuerst eine davon im Tab Home.`,
  empty: 'Bitte schreiben Sie eine Frage.',
  listTitle: 'Ihre geplanten Fragen',
  none: 'Sie haben keine. Nutzen Sie die Schaltfläche unten oder *Regelmäßig fragen…* unter einer Antwort in unseren Direktnachrichten, oder geben Sie `/assistant schedule` und eine Frage ein.',
  held: 'Sie ruhen, weil Sie nicht angemeldet sind. Nach der Anmeldung geht es zur nächsten Zeit weiter.',
  everyDay: 'Jeden Tag',
  weekdays: 'Montag bis Freitag',
  unreadable: 'Ich kann nicht mehr lesen, was ich von dieser Frage aufbewahrt habe.',
  end: 'Beenden',
  endTitle: 'Beenden?',
  endText: 'Ich stelle diese Frage dann nicht mehr.',
  asked: (asker) => `${asker}, Ihre geplante Frage:`,
};
