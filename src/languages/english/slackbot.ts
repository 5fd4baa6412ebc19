/** What Slackbot is told, besides answers and notices. */
export const slackbot = {
  cut: 'The rest of the answer is left out here. Ask me in a direct message to read all of it.',
  working:
    'The assistant is still working on this. Ask exactly the same again in a minute to get the answer: it is not asked a second time.',
  tooOften: 'Those were many questions in a minute, so this one was not asked. Please wait a moment.',
};
