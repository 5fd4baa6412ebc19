/** What `/assistant` answers. */
export const account = {
  newConversation:
    'Every thread is a conversation of its own: to start a new one, write to me outside of a thread, or mention me in a new message.',
  privacy: [
    '*What is kept:* your sign-in, encrypted; of each question, for up to 30 days, when and where it was asked, how it ended and what *Details* shows; which Slack thread belongs to which conversation of the assistant, for up to 180 days after its last use; your scheduled questions, encrypted, until you end them; your ratings of answers for 30 days, and usage counts, both without your name.',
    '*What is not kept:* your questions, what goes along with them, and the answers. They are held only until the answer is posted. Slack and the assistant service keep their own copies.',
    '*What goes to the assistant service:* your question, your time zone, links to documents, and text files that you upload. Also, unless it is turned off, what others wrote in the thread and messages that you link to, with names. *Details* under an answer shows how much it was.',
    '*Who reads feedback:* the people who run the assistant, without your name; your question and the answer only if you tick that.',
    '*How to remove it:* `/assistant sign-out` deletes your sign-in at once. *Delete my data* below deletes the rest as well, except ratings and usage counts.',
  ].join('\n'),
  unknownWord: (word: string) =>
    `I do not know the word \`${word}\`. Try \`/assistant help\`, \`sign-in\`, \`sign-out\`, \`status\`, \`schedule\`, \`privacy\` or \`new\`.`,
  wasNotSignedIn: 'You were not signed in.',
  signedOut:
    'You are signed out, and your sign-in is deleted here. When you next ask me something, I will ask you to sign in again.',
  notSignedIn: 'You are not signed in. Type `/assistant sign-in`, or ask me something: I will ask you to sign in.',
  /** `account`: undefined where its name is unknown. */
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
