/** Signing in, as far as it happens in Slack. */
export const signIn = {
  signIn: 'Sign in',
  signInToAdminister: 'Sign in for administration',
  /** By what the sign-in is for. */
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
  /** `account`: undefined where its name is unknown. */
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
  /** Takes the place of what asked for it. By what the sign-in is for. `account`: undefined where its name is unknown. */
  signedIn: {
    assistant: (account: string | undefined, _goesOn: boolean) => `Signed in as ${toAccount(account)}.`,
    /** `goesOn`: the command that was given before is carried out now. */
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
