import type { Texts } from '../english.ts';

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
