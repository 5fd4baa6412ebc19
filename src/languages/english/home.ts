/** The greeting, the home tab, and what people can do with their data. mrkdwn, except on buttons and in titles. */
export const home = {
  greeting: {
    hello:
      'Hello! Through me you can use the enterprise assistant in Slack. Ask me here, or mention me in a channel, as you would ask a colleague.',
    abilities:
      'I answer from what *you* have access to, and from the web. I answer in text only: I cannot send, create or change anything. I can be wrong, so check what matters.',
    examples:
      'For example:\n• _What is on today, and what should I prepare for it?_\n• _What did we decide about travel costs?_',
    signIn:
      'Sign in once, so that I can answer with *your* access rights. You can also ask first: I keep your question for a day, and answer it as soon as you have signed in.',
    moreInHome: 'The *Home* tab above shows your account, your preferences and your data.',
    outsider:
      'Hello! I answer members of this organisation only, so I cannot answer you. Guests can ask a colleague to ask me.',
  },
  prompts: [
    { title: 'What can you do?', message: 'help' },
    { title: 'What is on today?', message: 'What is in my calendar today, and what should I prepare for it?' },
    { title: 'What did I miss?', message: 'Summarise the most important messages I got since yesterday.' },
    { title: 'Find a document', message: 'Which documents did my team change this week, and what is new in them?' },
  ],
  account: {
    title: 'Your account',
    signedIn: (name: string, since: string) =>
      `You are signed in as *${name}* since ${since}. I answer with the access rights of this account.`,
    nameUnknown: 'an account without a known name',
    signedOut:
      'You are not signed in for questions yet. Connect your work account once, so that I can answer with *your* access rights.',
    admin: (name: string) => `For administration you are signed in as ${name}.`,
    connect: 'Connect',
    connectOther: 'Use another account',
    disconnect: 'Disconnect',
    disconnectTitle: 'Disconnect?',
    /** By the purpose of the sign-in. */
    disconnectText: {
      assistant: 'Your sign-in is deleted here. When you next ask me something, I will ask you to sign in again.',
      admin: 'Your sign-in is deleted here. With your next admin command, I will ask you to sign in again.',
    },
  },
  preferences: {
    title: 'Your preferences',
    channelAnswers: '*Questions in channels* are answered …',
    channelAnswersUnknown:
      '*Questions in channels:* when you sign in, you choose where they are answered. You can change that here later.',
    inThread: '… in the thread',
    inDirectMessage: '… in a direct message',
    channelAnswersHint:
      'All members of the channel can read an answer in a thread. It is made with your own access rights.',
    zoneOfProfile: (zone: string) => `*Time zone:* ${zone}, from your Slack profile. It is sent with every question.`,
    zoneByDefault: (zone: string) =>
      `*Time zone:* ${zone}, the default here, because your Slack profile has none. It is sent with every question.`,
    caps: '*Questions that administrators limit:*',
    /** `channel`: a mention; `until`: a time of day. */
    cap: (channel: string, asked: number, most: number, until: string) =>
      `${channel}: ${asked} of ${most} asked today; the next day begins at ${until}.`,
    inLanguage: '*Language:* English. I use the language that you have set in Slack, if I speak it.',
  },
  abilities: {
    title: 'What I can and cannot do',
    can: '*I can* answer from what you have access to, such as documents and your calendar, and from the web. Ask me in *Messages*, or mention me in a channel; in our thread just go on writing. To ask about what somebody else wrote, choose *Ask about this message* in the menu of that message.',
    cannot:
      '*I cannot* send, create or change anything for you. I answer in text only, and I can be wrong: check what matters.',
    try: (examples: string) => `*Try:*\n${examples}`,
    help: '`/assistant-web-off your question` turns web search off for one answer. `/assistant help` says more.',
  },
  privacy: {
    title: 'Your data',
    text: 'I keep your sign-in (encrypted), which thread belongs to which conversation, and for up to 30 days the details of each question, such as when you asked and how it ended. I hold your questions and the answers only until the answer is posted, and scheduled questions until you end them. `/assistant privacy` says more.',
    show: 'Show my data',
    export: 'Export my data',
    delete: 'Delete my data',
  },
  storeFails:
    'I cannot reach my own records at the moment, so I cannot show your account here. Please open this tab again in a few minutes.',
  outsider: 'I answer members of this organisation only, so there is nothing for you here.',
  data: {
    looking: 'Looking up what is kept about you…',
    title: 'Your data',
    signIn: (name: string, since: string) => `*Sign-in:* ${name}, since ${since}. The tokens are encrypted.`,
    adminSignIn: (name: string, since: string) => `*Sign-in for administration:* ${name}, since ${since}.`,
    noSignIn: '*Sign-in:* none.',
    channelAnswers: (isPrivate: boolean) =>
      `*Questions in channels* are answered ${isPrivate ? 'in a direct message' : 'in the thread'}.`,
    questions: (count: number, open: number) =>
      `*Questions:* ${count}${open > 0 ? `, of which ${open} not finished` : ''}. For each I keep, for up to 30 days, when and where it was asked, how it ended and what *Details* shows. I keep its text only until it is answered.`,
    threads: (threads: number, conversations: number) =>
      `*Threads* in which you have asked: ${threads}, and *conversations* with the assistant in them: ${conversations}. Kept for up to 180 days after the last use.`,
    scheduled: (count: number) =>
      `*Scheduled questions:* ${count}. Kept with their text, encrypted, until you end them.`,
    feedback: '*Ratings* of answers are kept for 30 days, but not under your name.',
    elsewhere: 'Slack and the assistant service keep your questions and the answers under their own rules.',
    audit: 'What you changed as an administrator stays in the audit log, under your name.',
    exporting: 'Putting your data together…',
    exported: 'Your data is in our direct messages now, as JSON. Only you can read it there.',
    exportHead: (part: number, parts: number) =>
      parts === 1 ? 'Your data, as JSON:' : `Your data, as JSON, part ${part} of ${parts}:`,
    deleteTitle: 'Delete data?',
    deleteWhat:
      '*This is deleted:*\n• your sign-ins and their tokens; they cannot be revoked from here, and expire at the sign-in service by themselves\n• which conversations are yours: your next question in a thread starts a new one\n• the details of your questions, such as when you asked and how it ended; the buttons under earlier answers stop working\n• your scheduled questions\nQuestions that are not answered yet are cancelled.',
    deleteNot:
      '*This stays:*\n• messages in Slack, and what the assistant service keeps, under their own rules\n• the audit log, if you changed something as an administrator\n• ratings of answers and usage counts, which do not carry your name, until they expire\n• backups, until they expire\nYou can sign in again at any time.',
    deleteSubmit: 'Delete',
    deleting: 'Deleting…',
    deleted: (signIns: number, records: number) =>
      `Done. Deleted: ${signIns === 1 ? 'one sign-in' : `${signIns} sign-ins`} and ${records === 1 ? 'one record' : `${records} records`} about questions and conversations.`,
    cancelled: (count: number) => (count === 1 ? 'One question was cancelled.' : `${count} questions were cancelled.`),
    left: 'Not all of your questions have ended yet. Delete once more in a minute to remove what is kept about them.',
    failed: 'I cannot reach my own records at the moment. Please try again in a few minutes.',
    failedHalfway:
      'I could not finish that, so some of your data may still be there. Please try again in a few minutes.',
    exportFailed: 'I could not send all of your data. Please try again in a few minutes.',
  },
};

/** Questions that are asked again and again at set times. */
export const schedules = {
  /** Under an answer in a direct message. */
  button: 'Ask regularly…',
  title: 'Ask regularly',
  intro: 'I ask this for you with your own access rights, and answer in our direct messages.',
  question: 'Your question',
  days: 'Days',
  time: 'Time',
  /** `zone`: such as Europe/Berlin. */
  timeHint: (zone: string) => `By the clock of ${zone}, your time zone in Slack.`,
  submit: 'Save',
  /** A format of luxon, for the time of the first question. */
  timeFormat: "cccc, d LLLL, 'at' HH:mm",
  saved: (first: string) =>
    `Saved. I ask this for the first time on ${first}. You see and end your scheduled questions in my *Home* tab.`,
  full: (most: number) => `You have ${most} scheduled questions already. End one of them in my Home tab first.`,
  empty: 'Please write a question.',
  /** Home tab and `/assistant schedule`. */
  listTitle: 'Your scheduled questions',
  none: 'You have none. Press the button below, *Ask regularly…* under an answer in our direct messages, or type `/assistant schedule` and a question.',
  held: 'They are on hold, because you are not signed in. After you sign in, they continue at their next time.',
  everyDay: 'Every day',
  weekdays: 'Monday to Friday',
  unreadable: 'I cannot read what I kept of this question any more.',
  end: 'End',
  endTitle: 'End this?',
  endText: 'I will not ask this question any more.',
  /** Above the question when it is asked. `asker`: a mention. */
  asked: (asker: string) => `${asker}, your scheduled question:`,
};
