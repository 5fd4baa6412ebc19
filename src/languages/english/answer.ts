/** What comes with an answer: sources, notes and buttons. */
export const answer = {
  sources: 'Sources',
  notes: {
    /** `question`: the beginning of the question, in one line. */
    askedAgain: (question: string) => `Asked again: “${question}”`,
    partial: 'The connection broke before the end. This is the part of the answer that arrived.',
    contextLost: 'The assistant answered in a new conversation, so it may not know what was said here before.',
    sensitivity: (label: string) => `Sensitivity: ${label}`,
    webOff: 'Web search was off for this answer.',
    filesUsed: (names: string) =>
      `Files given to the assistant: ${names}. A document uploaded within the last 12 hours may not be readable yet.`,
    filesUnused: (reasons: string) => `Not used: ${reasons}.`,
    /** Files or sources. */
    more: (count: number) => `and ${count} more`,
    /** `name`: of the asker, if others may read the answer. */
    disclaimer: (name: string | undefined) =>
      `Written by AI from what ${name === undefined ? 'you have' : `${name} has`} access to. Check it before you rely on it.`,
  },
  /** Why a file was not used. */
  unusable: {
    upload: 'uploaded to Slack, which the assistant cannot read; share a link to it in your document library instead',
    other_host: 'not in a document library the assistant can read',
    too_many: 'too many files for one question',
    not_https: 'not an https address',
    item_id: 'named by an item id; share its link instead',
  },
  askAgain: 'Ask again',
  askAgainWithoutWeb: 'Ask again without web',
  shareInThread: 'Share in thread',
  goodAnswer: 'Good answer',
  badAnswer: 'Bad answer',
  /** Below a private answer. `channel`: a mention of the channel where the question was asked. */
  sentPrivately: {
    linked: (channel: string) =>
      `Sent to you alone, because your question in ${channel}, or an earlier one in its thread, links to a message that not everybody there can read.`,
    guests: (channel: string) => `Sent to you alone, because you asked in ${channel}, which guests can read.`,
    unknown: (channel: string) =>
      `Sent to you alone, because you asked in ${channel}, and I could not find out whether guests can read it.`,
    chosen: (channel: string) => `You asked this in ${channel}, and chose to be answered here.`,
  },
  share: {
    title: 'Share this answer?',
    linked:
      'Your question, or an earlier one in this thread, links to a message that not everybody in the channel can read, and the answer may repeat what it says. It was made with your own access rights.',
    guests:
      'Guests can read the channel where you asked, so they can read the answer too. It was made with your own access rights.',
    unknown:
      'I could not find out whether guests can read the channel where you asked. If so, they can read the answer too. It was made with your own access rights.',
    chosen:
      'Everybody in the channel, guests included, can then read the answer. It was made with your own access rights.',
    confirm: 'Share',
    deny: 'Keep it private',
  },
  /** In the thread, if the answer went to the asker alone. `asker`: a mention. */
  stub: {
    linked: (asker: string) =>
      `${asker} got the answer in a direct message, because the question, or an earlier one, links to a message that not everybody here can read.`,
    guests: (asker: string) => `${asker} got the answer in a direct message, because guests can read this channel.`,
    unknown: (asker: string) =>
      `${asker} got the answer in a direct message, because I could not find out whether guests can read this channel.`,
    chosen: (asker: string) => `${asker} got the answer in a direct message, as they have chosen.`,
  },
  /** Above an answer that its asker shares. */
  shared: (asker: string) => `${asker} shares an answer they got with their own access rights.`,
};

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

/** When a question is edited after it was asked. */
export const edits = {
  editedAfterEnd: 'You changed your question after I had finished with it.',
  editedTooLate: 'You changed your question when I was already working on it.',
  askingEdited: 'I am asking it again, as it is now.',
  askedEditedAlready: 'You asked that again already: look in the thread of your question.',
};

/** The windows of *Good answer* and *Bad answer*. */
export const feedback = {
  good: 'Good answer',
  bad: 'Bad answer',
  intro: 'Your rating is counted. If you like, say more: everything here is optional.',
  whatWasWrong: 'What was wrong with it?',
  reasons: {
    wrong: 'It is wrong',
    outdated: 'It is out of date',
    wrong_source: 'It uses the wrong source',
    not_helpful: 'It does not help me',
    too_slow: 'It took too long',
    other: 'Something else',
  },
  comment: 'Comment',
  commentHint: 'The people who run the assistant read it. Your name is not sent along.',
  text: 'Question and answer',
  send: 'Send the question and the answer along',
  sendHint: 'The people who run the assistant can then read both. The answer was made with your own access rights.',
  submit: 'Send',
  sent: 'Thank you. Your feedback helps to make the answers better.',
};

/** `/assistant-web-off`. */
export const webOff = {
  usage: [
    '`/assistant-web-off your question` asks in this channel, with web search off for that one answer.',
    'Slack has no commands inside threads. There, write `!web-off` anywhere in your message to me, or use *Ask without web search* in the menu of a message, or the button under an answer.',
  ].join('\n'),
  title: 'Ask without web search',
  label: 'Your question',
  hint: 'It is shown in the channel. Web search is off for this answer only.',
  ask: 'Ask',
  tooLong:
    'That question is too long to be shown in the channel, so I did not ask it. Please shorten it, or write it as a message to me, with !web-off in it.',
};
