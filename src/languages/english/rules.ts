/** What administrators have set for the questions of a channel or a workspace. */
export const rules = {
  notAllowedHere:
    'Administrators have not allowed questions in this channel, so I did not ask yours. Ask me in a direct message instead.',
  /** `word`: of an administrator, '' for none. */
  paused: (word: string) =>
    `Administrators have paused me, so I did not ask your question. ${word === '' ? '' : `They say: ${word}\n`}Please ask again later.`,
  pausedStatus: (word: string) =>
    `Administrators have paused me: at the moment I answer no questions.${word === '' ? '' : ` They say: ${word}`}`,
  /** `most`: questions a day; `until`: a time of the clock. */
  personCap: (most: number, until: string) =>
    `You have asked ${most === 1 ? 'your one question' : `your ${most} questions`} of today in this channel, as many as administrators allow. I answer you here again from ${until} on; in direct messages I do so now.`,
  channelCap: (most: number, until: string) =>
    `This channel has had ${most === 1 ? 'its one question' : `its ${most} questions`} of today, as many as administrators allow. I answer here again from ${until} on; in direct messages I do so now.`,
  webOff: 'Web search was off for this answer, because administrators have turned it off here.',
  /** `channel`: a mention. */
  privateNote: (channel: string) =>
    `Sent to you alone, because administrators have made answers to questions in ${channel} private.`,
  privateStub: (asker: string) =>
    `<@${asker}> got the answer in a direct message, because administrators have made answers in this channel private.`,
};
