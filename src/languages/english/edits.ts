/** When a question is edited after it was asked. */
export const edits = {
  editedAfterAnswer: 'You changed your question after I had answered it.',
  editedTooLate: 'You changed your question when I was already working on it.',
  askingEdited: 'I am asking it again, as it is now.',
  askedEditedAlready: 'You asked that again already: look in the thread of your question.',
};
