/** The part of a sign-in that happens in Slack. */
export const signIn = {
  signIn: 'Sign in',
  signInToAdminister: 'Sign in for administration',
  /** By the purpose of the sign-in. */
  why: {
    assistant:
      'Please sign in, so that I can answer with *your* access rights. I keep your question for a day, and answer it as soon as you have signed in.',
    admin: 'Please sign in to the administrative interface, so that the service can check your rights.',
  },
  /** Under each further question. */
  held: 'This question waits for your sign-in as well. Signing in once is enough for all of them.',
  /** `waiting`: how many questions wait. */
  offer: (waiting: number) =>
    `Sign in once, so that I can answer with *your* access rights.${
      waiting === 0
        ? ''
        : waiting === 1
          ? ' Your question waits, and I answer it as soon as you have signed in.'
          : ` Your ${waiting} questions wait, and I answer them as soon as you have signed in.`
    }`,
  /** `account`: undefined if its name is unknown. */
  signedInAlready: (account: string | undefined) =>
    `You are signed in as *${account ?? 'an account without a known name'}*. Sign in again to use another account. In my *Home* tab you choose where your questions in channels are answered.`,
  window: {
    title: 'Sign in',
    loading: 'Making your link…',
    link: 'This link is only for you. It works once, for ten minutes.',
    open: 'Open the sign-in page',
    done: 'You can close this window.',
    failed: 'Something failed on my side, so there is no link yet. Close this window and try again.',
  },
  /** Replaces the prompt to sign in. By the purpose of the sign-in. `account`: undefined if its name is unknown. */
  signedIn: {
    assistant: (account: string | undefined, _goesOn: boolean) => `Signed in as ${toAccount(account)}.`,
    /** `goesOn`: the command that waited is carried out now. */
    admin: (account: string | undefined, goesOn: boolean) =>
      `Signed in for administration as ${toAccount(account)}. ${goesOn ? 'I go on with your command.' : 'If you had pressed a button, press it again.'}`,
  },
  receipt: {
    assistant: (account: string | undefined) =>
      `You are signed in to the assistant as ${toAccount(account)}. If that was not you, disconnect at once.`,
    admin: (account: string | undefined) =>
      `You are signed in to administration as ${toAccount(account)}. If that was not you, disconnect at once.`,
  },
  disconnected: 'Disconnected. Your sign-in is deleted here.',
  nothingToDisconnect: 'You were not signed in any more, so there was nothing to disconnect.',
};

function toAccount(name: string | undefined): string {
  return name === undefined ? 'an account without a known name' : `*${name}*`;
}

/** Answers to `/assistant`. */
export const account = {
  newConversation:
    'Every thread is a conversation of its own: to start a new one, write to me outside of a thread, or mention me in a new message.',
  privacy: [
    '*What is kept:* your sign-in, encrypted; of each question, for up to 30 days, when and where it was asked, how it ended and what *Details* shows; which Slack thread belongs to which conversation of the assistant, for up to 180 days after its last use; your scheduled questions, encrypted, until you end them; your ratings of answers for 30 days, and usage counts, both without your name.',
    '*What is not kept:* your questions, what goes along with them, and the answers. They are held only until the answer is posted. Slack and the assistant service keep their own copies.',
    '*What goes to the assistant service:* your question, your time zone, links to documents, and text files that you upload. Also, unless it is turned off, what others wrote in the thread and messages that you link to, with names. *Details* under an answer shows how much was sent.',
    '*Who reads feedback:* the people who run the assistant, without your name; your question and the answer only if you tick that.',
    '*How to remove it:* `/assistant sign-out` deletes your sign-in at once. *Delete my data* below deletes the rest as well, except ratings and usage counts.',
  ].join('\n'),
  unknownWord: (word: string) =>
    `I do not know the word \`${word}\`. Try \`/assistant help\`, \`sign-in\`, \`sign-out\`, \`status\`, \`schedule\`, \`privacy\` or \`new\`.`,
  wasNotSignedIn: 'You were not signed in.',
  signedOut:
    'You are signed out, and your sign-in is deleted here. When you next ask me something, I will ask you to sign in again.',
  notSignedIn: 'You are not signed in. Type `/assistant sign-in`, or ask me something: I will ask you to sign in.',
  /** `account`: undefined if its name is unknown. */
  signedIn: (account: string | undefined, since: string) =>
    `You are signed in as *${account ?? 'an account without a known name'}* since ${since}.`,
  profileZone: (zone: string) =>
    `Your time zone, which is sent with every question, is ${zone}, from your Slack profile.`,
  defaultZone: (zone: string) =>
    `Your Slack profile has no time zone, so ${zone}, the default here, is sent with every question.`,
  answeredPrivately: 'What you ask in channels is answered in a direct message. You can change that in my *Home* tab.',
  answeredInThread:
    'What you ask in channels is answered in the thread, where all members can read it. You can change that in my *Home* tab.',
};

/** Replies to Slackbot, besides answers and notices. */
export const slackbot = {
  cut: 'The rest of the answer is left out here. Ask me in a direct message to read all of it.',
  working:
    'The assistant is still working on this. Ask exactly the same again in a minute to get the answer: it is not asked a second time.',
  tooOften: 'You asked too many questions in a minute, so this one was not asked. Please wait a moment.',
};
