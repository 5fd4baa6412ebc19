/** What administrators have set for the questions of a channel or a workspace. */
export const rules = {
  notAllowedHere:
    'Administrators have not allowed questions in this channel, so I did not ask yours. Ask me in a direct message instead.',
  /** `word`: of an administrator, '' for none. */
  paused: (word: string) =>
    `Administrators have paused me, so I did not ask your question. ${word === '' ? '' : `They say: ${word}\n`}Please ask again later.`,
  pausedStatus: (word: string) =>
    `Administrators have paused me: at the moment I answer no questions.${word === '' ? '' : ` They say: ${word}`}`,
  webOff: 'Web search was off for this answer, because administrators have turned it off here.',
  /** `channel`: a mention. */
  privateNote: (channel: string) =>
    `Sent to you alone, because administrators have made answers to questions in ${channel} private.`,
  privateStub: (asker: string) =>
    `<@${asker}> got the answer in a direct message, because administrators have made answers in this channel private.`,
};
