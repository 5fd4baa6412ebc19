import type { Texts } from '../english.ts';

export const edits: Texts['edits'] = {
  editedAfterAnswer: 'Sie haben Ihre Frage geändert, nachdem ich sie beantwortet hatte.',
  editedTooLate: 'Sie haben Ihre Frage geändert, als ich schon daran gearbeitet habe.',
  askingEdited: 'Ich stelle die Frage erneut, so wie sie jetzt lautet.',
  askedEditedAlready: 'Diese Frage haben Sie schon erneut gestellt: Sehen Sie im Thread Ihrer Frage nach.',
};
