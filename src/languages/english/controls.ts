/** Answers to clicks, commands and windows. */
export const controls = {
  nothingWasDone: 'Nothing was done, because I could not save it. Please try again in a moment.',
  tooOld: 'That question is too old: I do not know it any more. Please write it again.',
  doneAlready: 'You did that already: look in the thread of your question.',
  notYours:
    'Only the person who asked can do that. To ask the same with your own access rights, use *Ask without web search* in the menu of the question, or write it yourself.',
  cancelNotYours: 'Only the person who asked can cancel the question.',
  cancelTooLate: 'It is too late to cancel that question: it is done already.',
  /** `asker`: a mention. */
  stopNotYours: (asker: string) => `I am still working on this. Only ${asker}, who asked, can stop it.`,
  /** Of a question typed into a window. */
  questionTooLong: 'That question is too long to be shown in Slack, so nothing was done. Please shorten it.',
  thanks: 'Thank you, noted.',
  loading: 'One moment…',
  cancel: 'Cancel',
  close: 'Close',
  windowNotOpened: 'Slack did not open the window in time, so nothing was done. Please try again.',
  /** What the window was to do may be done: an export, for example. */
  windowNotFilled: 'Slack did not show the content of the window. Close the window and open it again.',
  /** Features that this release does not have any more, or that are turned off. */
  retired: {
    title: 'Out of date',
    click:
      'What you clicked belongs to an older version of this app, or to a part of it that is turned off. Nothing was done. Write to me again, or see `/assistant help`.',
    shortcut:
      'This shortcut belongs to an older version of this app, or to a part of it that is turned off. Nothing was done. `/assistant help` tells what I can do.',
    command:
      'This command belongs to an older version of this app, or to a part of it that is turned off. Nothing was done. `/assistant help` tells what I can do.',
    window:
      'This window belongs to an older version of this app, or to a part of it that is turned off. Nothing was done. Close it, and see /assistant help.',
  },
};
