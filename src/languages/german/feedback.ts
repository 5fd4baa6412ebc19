import type { Texts } from '../english.ts';

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
