import type { Texts } from '../english.ts';

export const controls: Texts['controls'] = {
  nothingWasDone:
    'Es ist nichts geschehen, weil ich Ihre Eingabe nicht speichern konnte. Bitte versuchen Sie es gleich noch einmal.',
  tooOld: 'Diese Frage liegt zu lange zurück, ich kenne sie nicht mehr. Bitte schreiben Sie sie noch einmal.',
  doneAlready: 'Das haben Sie schon angefordert. Sehen Sie im Thread Ihrer Frage nach.',
  notYours:
    'Das kann nur die Person, die gefragt hat. Um dasselbe mit Ihren eigenen Zugriffsrechten zu fragen, wählen Sie im Menü der Frage *Ask without web search* oder schreiben Sie die Frage selbst.',
  cancelNotYours: 'Nur die Person, die gefragt hat, kann die Frage zurückziehen.',
  cancelTooLate: 'Diese Frage lässt sich nicht mehr zurückziehen, sie ist schon abgeschlossen.',
  stopNotYours: (asker) => `Ich arbeite weiter daran. Stoppen kann mich nur, wer gefragt hat: ${asker}.`,
  questionTooLong:
    'Diese Frage ist zu lang, um in Slack gezeigt zu werden, deshalb ist nichts geschehen. Bitte kürzen Sie sie.',
  thanks: 'Danke, ist notiert.',
  loading: 'Einen Moment …',
  cancel: 'Abbrechen',
  close: 'Schließen',
  windowNotOpened:
    'Slack hat das Fenster nicht rechtzeitig geöffnet, deshalb ist nichts geschehen. Bitte versuchen Sie es noch einmal.',
  windowNotFilled:
    'Slack hat den Inhalt des Fensters nicht angezeigt. Schließen Sie das Fenster und öffnen Sie es noch einmal.',
  retired: {
    title: 'Nicht mehr aktuell',
    click:
      'Was Sie angeklickt haben, gehört zu einer älteren Version dieser App oder zu einer Funktion, die ausgeschaltet ist. Es ist nichts geschehen. Schreiben Sie mir noch einmal oder sehen Sie unter `/assistant hilfe` nach.',
    shortcut:
      'Dieser Shortcut gehört zu einer älteren Version dieser App oder zu einer Funktion, die ausgeschaltet ist. Es ist nichts geschehen. `/assistant hilfe` zeigt, was ich kann.',
    command:
      'Dieser Befehl gehört zu einer älteren Version dieser App oder zu einer Funktion, die ausgeschaltet ist. Es ist nichts geschehen. `/assistant hilfe` zeigt, was ich kann.',
    window:
      'Dieses Fenster gehört zu einer älteren Version dieser App oder zu einer Funktion, die ausgeschaltet ist. Es ist nichts geschehen. Schließen Sie es und sehen Sie unter /assistant hilfe nach.',
  },
};
