/** The window that says how an answer came about. */
export const details = {
  title: 'Details',
  notYours: 'Only the person who asked can see the details of an answer.',
  tooOld: 'This answer is too old: I do not know its details any more.',
  asked: 'Asked',
  took: 'Time until the answer',
  timeZone: 'Time zone sent along',
  timeZoneOfProfile: (zone: string) => `${zone}, from your Slack profile`,
  timeZoneByDefault: (zone: string) => `${zone}, the default here, because your Slack profile has none`,
  webSearch: 'Web search',
  on: 'On',
  off: 'Off',
  thread: 'Earlier messages of the thread',
  threadNone: 'None was sent along.',
  threadQuotes: (messages: number, cut: number) =>
    cut > 0 ? `Sent along: ${messages}. Left out or shortened: ${cut}.` : `Sent along: ${messages}.`,
  permalinks: 'Linked messages',
  permalinksUsed: (used: number, refused: number) =>
    refused > 0 ? `Sent along: ${used}. Not sent along: ${refused}.` : `Sent along: ${used}.`,
  textFiles: 'Text files',
  textFilesUsed: (count: number) => `Sent along as text: ${count}.`,
  notes: 'Files and notes',
  noFiles: 'No files were given to the assistant.',
  support: 'For support',
  failed: 'I cannot look that up at the moment. Please try again later.',
};
