// What the assistant can and cannot do; fits into any message.
const HELP = [
  'Ask me in a direct message, or mention me in a channel; in our thread just write.',
  'I answer from what *you* have access to, and from the web.',
  '*Without the web:* `/assistant-web-off your question`, or `!web-off` in a message.',
  '*About a message:* choose *Ask about this message* in its menu.',
  '*Documents:* share a library link with your question.',
  'I cannot send, create or change anything, and I can be wrong: check what matters.',
  'My *Home* tab shows your account and your data; `/assistant privacy` says what is kept.',
].join('\n');

/** Replies to questions that are not answered, or not yet. */
export const notices = {
  /** By the code of the notice: what went wrong, what it means and what to do next. */
  sentences: {
    interrupted:
      'I was interrupted while the assistant was working on this. It may have counted as a question, so I did not ask again by myself.',
    outcome_unknown:
      'The assistant failed, did not answer in time, or the connection broke. It may have counted as a question, so I did not ask again by myself.',
    unavailable: 'I could not get through in time, so I stopped trying. Your question was not processed.',
    empty: 'The assistant had no answer to this. Try asking it in other words.',
    disengaged:
      'The assistant ended this conversation and takes no more questions in it. Your next question here starts a new one.',
    forbidden: 'The assistant refused your account and did not say why. Please ask the people who run the assistant.',
    consent_missing:
      'The assistant refused your question, because your organisation has not agreed to it yet. Please ask the administrators who approve apps for your work account to give their consent.',
    licence_missing:
      'The assistant refused your account, because it has no licence. Please ask whoever assigns licences in your organisation, most often IT support. A new licence takes up to half an hour to work.',
    credits_used_up:
      'The assistant refused your question, because the credits for it are used up. Please tell the people who run the assistant: they see what was spent, and can have credits added.',
    policy_blocks:
      'The assistant refused your question, because a policy of your organisation blocks it. Please ask the people who run the assistant which policy it is, and who decides on it.',
    rejected: 'The assistant refused this question as it is. Try asking it in other words.',
    too_long: 'That is too long for the assistant. Please shorten the question and send it again.',
    busy: 'The assistant is still busy with an earlier question of this thread. Please try again in a moment.',
    sign_in_needed: 'Sign in once, so that I can ask with your own access. Then ask again.',
    sign_in_expired: 'This question waited a day for you to sign in, and I stopped waiting. Sign in and ask again.',
    sign_in_lost: 'I cannot open your stored sign-in any more. Please sign in again, then ask once more.',
    account_unusable:
      'The assistant refused the account you signed in with. Please sign in again, with your work account.',
    sign_in_broken:
      'The sign-in is not set up correctly, so I cannot ask for you. The people who run the assistant have to put that right. Ask again after that.',
    too_late:
      'I could not ask this question in time, and now it is too late. Nothing was processed. If you still need the answer, ask again.',
    schedule_held:
      'You are not signed in, so I do not ask your scheduled questions. After you sign in, they continue at their next time.',
    question_lost: 'I cannot read what I kept of this question any more. Please ask it again.',
    question_gone: 'I cannot find that question in Slack any more. Please write it again.',
    question_changed:
      'Somebody else wrote that message, and it has changed since you asked it, so I did not ask it again with your access rights. Read it as it is now. To ask it anyway, use *Ask without web search* in its menu, or write it yourself.',
    no_question: `I did not find a question in that message. ${HELP}`,
    help: HELP,
    cannot_post:
      'I cannot write in that conversation: I am not in it, it takes no messages from me, or the message I was to answer is gone. If it is a channel, you can invite me with `/invite`. Or ask me here.',
    guest: 'I answer members of this organisation only, so I cannot answer you here.',
    shared_channel:
      'This channel is shared with another organisation, so I do not answer in it. Ask me in a direct message instead.',
    stopped: 'Stopped.',
    cancelled: 'Cancelled.',
    failed:
      'Something failed on my side. Your question was not answered. The people who run the assistant can see why.',
  },
  /** Below a notice. `words`: the service's own. */
  serviceSaid: (words: string) => `The assistant said: ${words}`,
  /** Why a question waits, by error code. */
  waitsFor: {
    assistant_throttled: 'The assistant is busy and asks me to wait.',
    assistant_unreachable: 'The assistant cannot be reached at the moment.',
    conversation_busy: 'The assistant is still busy with an earlier question of this thread.',
    identity_provider_unavailable: 'The sign-in service cannot be reached at the moment.',
    slack_reading_limited: 'Slack lets me read messages only now and then, and asks me to wait.',
    token_key_unknown: 'I cannot open your sign-in at the moment.',
  },
  waiting: (reason: string) =>
    `${reason} Your question is kept, and I answer it here as soon as that is over; after ten minutes I stop trying.`,
  cancelQuestion: 'Cancel the question',
  /** Above the question of a command. `asker`: a mention. */
  asked: (asker: string) => `${asker} asked:`,
  askedWebOff: (asker: string) => `${asker} asked, with web search off:`,
  /** After the app's name, while it works. */
  working: 'is looking that up…',
  /** In place of a message that cannot be deleted. */
  over: 'This message is out of date.',
};

/** What administrators have set for the questions of a channel or a workspace. */
export const rules = {
  notAllowedHere:
    'Administrators have not allowed questions in this channel, so I did not ask yours. Ask me in a direct message instead.',
  /** `word`: the administrators' explanation; '' for none. */
  paused: (word: string) =>
    `Administrators have paused me, so I did not ask your question. ${word === '' ? '' : `They say: ${word}\n`}Please ask again later.`,
  pausedStatus: (word: string) =>
    `Administrators have paused me: at the moment I answer no questions.${word === '' ? '' : ` They say: ${word}`}`,
  /** `most`: questions a day; `until`: a time of day. */
  personCap: (most: number, until: string) =>
    `You have asked ${most === 1 ? 'one question' : `${most} questions`} in this channel today, as many as administrators allow. I answer you here again from ${until}; in direct messages I answer you now.`,
  channelCap: (most: number, until: string) =>
    `${most === 1 ? 'One question was' : `${most} questions were`} asked in this channel today, as many as administrators allow. I answer here again from ${until}; in direct messages I answer now.`,
  webOff: 'Web search was off for this answer, because administrators have turned it off here.',
  /** `channel`: a mention. */
  privateNote: (channel: string) =>
    `Sent to you alone, because administrators have made answers to questions in ${channel} private.`,
  privateStub: (asker: string) =>
    `<@${asker}> got the answer in a direct message, because administrators have made answers in this channel private.`,
};

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
  windowNotOpened: 'Slack did not open the window in time. Please try again.',
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
