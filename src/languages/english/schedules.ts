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
  /** As luxon writes the time of the first one. */
  timeFormat: "cccc, d LLLL, 'at' HH:mm",
  saved: (first: string) =>
    `Saved. I ask this for the first time on ${first}. My *Home* tab shows your scheduled questions, and ends them there.`,
  full: (most: number) => `You have ${most} scheduled questions already. End one of them in my Home tab first.`,
  empty: 'Please write a question.',
  /** Home tab and `/assistant schedule`. */
  listTitle: 'Your scheduled questions',
  none: 'You have none. Press the button below, *Ask regularly…* under an answer in our direct messages, or type `/assistant schedule` and a question.',
  held: 'They are held, because you are not signed in, and go on at their next time once you are.',
  everyDay: 'Every day',
  weekdays: 'Monday to Friday',
  unreadable: 'I cannot read what I kept of this question any more.',
  end: 'End',
  endTitle: 'End this?',
  endText: 'I will not ask this question any more.',
  /** Above the question when it is asked. `asker`: a mention. */
  asked: (asker: string) => `${asker}, your scheduled question:`,
};
