/** What comes with an answer: sources, notes and buttons. */
export const answer = {
  sources: 'Sources',
  /** The notification for a message that has no text of the answer. */
  sourcesAndNotes: 'Sources and notes',
  notes: {
    /** `question`: its beginning, in one line. */
    askedAgain: (question: string) => `Asked again: “${question}”`,
    partial: 'The connection broke before the end. This is the part of the answer that arrived.',
    contextLost: 'The assistant answered in a new conversation, so it may not know what was said here before.',
    sensitivity: (label: string) => `Sensitivity: ${label}`,
    webOff: 'Web search was off for this answer.',
    filesUsed: (names: string) =>
      `Files given to the assistant: ${names}. A document uploaded within the last 12 hours may not be readable yet.`,
    filesUnused: (reasons: string) => `Not used: ${reasons}.`,
    moreFiles: (count: number) => `and ${count} more`,
    /** `name`: of who asked, where others may read the answer. */
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
  /** Below a private answer. `channel`: a mention of the one where it was asked. */
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
      'Your question, or an earlier one in this thread, links to a message that not everybody in the channel can read, and the answer may tell what it says. It was made with your own access rights.',
    guests:
      'Guests can read the channel where you asked, so they can read the answer too. It was made with your own access rights.',
    unknown:
      'I could not find out whether guests can read the channel where you asked. If so, they can read the answer too. It was made with your own access rights.',
    chosen:
      'Everybody in the channel, guests included, can then read the answer. It was made with your own access rights.',
    confirm: 'Share',
    deny: 'Keep it private',
  },
  /** In the thread, where the answer went to its asker alone. `asker`: a mention. */
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
