/** What the assistant can and cannot do, in a form that fits any message. */
export const HELP = [
  'Ask me in a direct message, or mention me in a channel; inside our thread just go on writing.',
  'I answer from what *you* have access to, and from the web. `/assistant-web-off your question` keeps the web out of one answer; inside a thread write `!web-off` anywhere in your message.',
  'Share a link to a document in your library, and I pass it on with your question.',
  'I cannot do anything for you (send, create or change things), I answer in text only, and I can be wrong: check what matters.',
  '`/assistant` shows your account, `/assistant privacy` what is kept.',
].join('\n');

export const PRIVACY = [
  '*What is kept:* which Slack thread belongs to which conversation of the assistant; your sign-in, encrypted; and of each question when it was asked and how it ended, for 30 days.',
  '*What is not kept:* your questions and the answers. They are held only until the answer is posted; Slack and the assistant service keep their own copies.',
  '*How to remove it:* `/assistant sign-out` deletes your sign-in at once.',
].join('\n');

export const WEB_OFF_USAGE = [
  '`/assistant-web-off your question` asks in this channel, with web search off for that one answer.',
  'Slack has no commands inside threads. There, write `!web-off` anywhere in your message to me, or use *Ask without web search* in the menu of a message, or the button under an answer.',
].join('\n');
