import { html } from '../../html.ts';

/** The pages of a sign-in that succeeds. `assistant` and `admin`: the purposes of sign-ins. */
export const pages = {
  /** `name`: of the person; `workspace`: its name in Slack. */
  personIn: (name: string, workspace: string) => `${name} in ${workspace}`,
  back: 'Back to Slack',
  start: {
    title: 'Connect your account',
    about: (person: string) => html`This connects the Slack account <strong>${person}</strong> with your work account.`,
    effect: {
      assistant:
        'The assistant then answers your questions with your own access rights: it finds what you may see, and nothing else.',
      admin:
        'Your admin commands in Slack are then carried out with your own admin rights. This sign-in is separate from the one for questions.',
    },
    way: 'Next, Slack confirms who you are, and you sign in to your work account. Then you see both names and decide.',
    warning: 'Did somebody else send you this link? Then close this page: the link is not for you.',
    choice: 'Where should answers go when you ask in a channel?',
    thread: 'In the thread',
    threadMeans: 'All members of the channel can read them, even if they contain what only you may see.',
    private: 'To you alone, in a direct message',
    privateMeans: 'You can share each of them in the thread afterwards.',
    continue: 'Continue',
  },
  pair: {
    slackAccount: 'Slack account',
    workAccount: 'Work account',
    nameless: html`<strong>The account's name is unknown</strong>, because the sign-in did not provide it.`,
  },
  confirm: {
    title: 'Connect these two accounts?',
    onlyYours: 'Connect them only if both are yours.',
    meaning: {
      assistant: 'Whoever uses this Slack account then gets answers with the access rights of this work account.',
      admin: 'Whoever uses this Slack account then gives admin commands with the rights of this work account.',
    },
    /** `account`: undefined if its name is unknown, or the same. */
    replaces: (account: string | undefined) =>
      html`<strong>${account ?? 'Another account'}</strong> is connected now, and will be disconnected.`,
    notYours: html`Is one of them not yours, or did somebody send you the link? Then press <strong>Cancel</strong>.`,
    connect: 'Connect',
    cancel: 'Cancel',
  },
  linked: {
    title: 'Your accounts are connected',
    next: {
      assistant:
        'Go back to Slack: if you have asked something already, it is being answered. You can close this page.',
      admin:
        'Go back to Slack: if a command was waiting for this, it is carried out there now. You can close this page.',
    },
    mistake: html`Was that a mistake? For ten minutes you can undo it here, and at any time with <strong>/assistant sign-out</strong> from that Slack account.`,
    undo: 'Undo',
  },
  undone: {
    title: 'The connection is removed',
    removed:
      'The two accounts are not connected any more, and your sign-in is deleted here. An account that was connected before does not come back.',
    again: (command: string) => html`To connect an account, type <strong>${command}</strong> in Slack.`,
  },
};
