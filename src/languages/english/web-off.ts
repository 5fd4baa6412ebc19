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
