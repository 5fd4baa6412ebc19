/** The windows of *Good answer* and *Bad answer*. */
export const feedback = {
  good: 'Good answer',
  bad: 'Bad answer',
  intro: 'Your rating is counted. If you like, say more: everything here is optional.',
  whatWasWrong: 'What was wrong with it?',
  reasons: {
    wrong: 'It is wrong',
    outdated: 'It is out of date',
    wrong_source: 'It uses the wrong source',
    not_helpful: 'It does not help me',
    too_slow: 'It took too long',
    other: 'Something else',
  },
  comment: 'Comment',
  commentHint: 'The people who run the assistant read it. Your name is not sent along.',
  text: 'Question and answer',
  send: 'Send the question and the answer along',
  sendHint: 'The people who run the assistant can then read both. The answer was made with your own access rights.',
  submit: 'Send',
  sent: 'Thank you. Your feedback helps to make the answers better.',
};
