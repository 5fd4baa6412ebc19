import { type Html, html } from '../../html.ts';

const ALL_IS_WELL = 'If Slack says that you are signed in, all is well.';

/** The pages of a sign-in that stopped: what happened, that nothing was connected, and what to do next. */
export const refusals = {
  /** What to type in Slack if the purpose of the sign-in is unknown. */
  eitherCommand: (ofAssistant: Html, ofAdmin: Html) => html`${ofAssistant} (for admin commands ${ofAdmin})`,
  newLink: (command: Html) =>
    html`<p><strong>What to do:</strong> go back to Slack and ask for a new link: type ${command}, or repeat what you asked.</p>`,
  /** `newLink`: the paragraph above; `command`: what to type in Slack. */
  pages: {
    ticket_unknown: {
      title: 'This link does not work any more',
      body: (newLink: Html) =>
        html`<p>A sign-in link works once, for 10 minutes. This one was used before, is too old, or is not complete. ${ALL_IS_WELL}</p>${newLink}`,
    },
    step_unknown: {
      title: 'This step is over',
      body: (newLink: Html) =>
        html`<p>This page was used already, or too much time has passed. ${ALL_IS_WELL}</p>${newLink}`,
    },
    other_browser: {
      title: 'This sign-in began in another browser',
      body: (newLink: Html) =>
        html`<p>It has to end in the browser it began in, which must accept cookies from this site. Nothing was connected.</p>${newLink}`,
    },
    wrong_person: {
      title: 'This link belongs to somebody else',
      body: (_newLink: Html, command: Html) =>
        html`<p>In this browser you are signed in to Slack as somebody other than the person the link was made for. Nothing was connected.</p>
<p><strong>If somebody sent you the link:</strong> close this page. In Slack you can ask for a link of your own: type ${command}.</p>
<p><strong>If it is your own:</strong> sign in to Slack in this browser with the account you asked with, in the same workspace, then ask for a new link in Slack.</p>`,
    },
    denied: {
      title: 'The sign-in was cancelled',
      body: (newLink: Html) =>
        html`<p>You or your organisation said no. Nothing was connected.</p>${newLink}<p>If it happens again without you cancelling, ask the people who run the assistant whether your account may use it.</p>`,
    },
    consent_needed: {
      title: 'Your organisation has to allow this first',
      body: () =>
        html`<p>An administrator has to give this app permission before you can sign in. Nothing was connected.</p><p><strong>What to do:</strong> tell the people who run the assistant that the app needs an administrator's consent. When it has been given, ask for a new link in Slack.</p>`,
    },
    slack_failed: {
      title: 'Slack did not confirm who you are',
      body: (newLink: Html) => html`<p>The sign-in with Slack was not completed. Nothing was connected.</p>${newLink}`,
    },
    slack_unavailable: {
      title: 'Slack cannot be reached',
      body: (_newLink: Html, command: Html) =>
        html`<p>Nothing was connected.</p><p><strong>What to do:</strong> wait a minute, then press <strong>Sign in</strong> in Slack again, or type ${command}: this link was used.</p>`,
    },
    other_tenant: {
      title: 'This account belongs to another organisation',
      body: (_newLink: Html, command: Html) =>
        html`<p>You signed in with an account that does not belong to the organisation this app is for. Nothing was connected.</p>
<p><strong>What to do:</strong> go back to Slack, ask for a new link with ${command}, and choose your work account when you sign in. If this was your work account, tell the people who run the assistant.</p>`,
    },
    provider_failed: {
      title: 'The sign-in did not work',
      body: (newLink: Html) =>
        html`<p>Your organisation's sign-in did not confirm your account. Nothing was connected.</p>${newLink}<p>If it happens again, tell the people who run the assistant.</p>`,
    },
    declined: {
      title: 'Cancelled',
      body: (_newLink: Html, command: Html) =>
        html`<p>Nothing was connected, and this sign-in is forgotten here.</p>
<p><strong>If somebody sent you the link:</strong> tell the people who run the assistant.</p>
<p><strong>If one of the two names was wrong:</strong> sign in to Slack and to your work account in this browser as yourself, then ask for a new link in Slack: type ${command}.</p>`,
    },
    unavailable: {
      title: 'The sign-in cannot be used right now',
      body: () =>
        html`<p>A service that it needs does not answer. ${ALL_IS_WELL}</p><p><strong>What to do:</strong> wait a few minutes, then ask for a new link in Slack.</p>`,
    },
    misconfigured: {
      title: 'The sign-in is not set up correctly',
      body: () =>
        html`<p>A setting of this app is wrong, so this sign-in works for nobody. It is not your fault, and nothing was connected.</p><p><strong>What to do:</strong> tell the people who run the assistant; the reason is in its log. When they have put it right, ask for a new link in Slack.</p>`,
    },
    failed: {
      title: 'Something went wrong here',
      body: (newLink: Html) =>
        html`<p>It is our fault, not yours, and nothing was connected.</p>${newLink}<p>If it happens again, tell the people who run the assistant.</p>`,
    },
    cross_site: {
      title: 'This form came from another site',
      body: (newLink: Html) =>
        html`<p>A sign-in can be continued only on its own page. Nothing was done.</p>${newLink}`,
    },
    not_undone: {
      title: 'This cannot be undone here any more',
      body: () =>
        html`<p>Perhaps the connection was removed or replaced already, perhaps the ten minutes are over. To be sure, look at the app's <strong>Home</strong> tab in Slack with that Slack account: it shows the connected account, and ends the connection. If it is not yours, tell the people who run the assistant.</p>`,
    },
    bad_form: {
      title: 'This form is not complete',
      body: (newLink: Html) => html`<p>Nothing was done.</p>${newLink}`,
    },
    not_found: {
      title: 'There is no such page',
      body: (newLink: Html) => html`<p>The address is not complete, or does not belong to this app.</p>${newLink}`,
    },
    wrong_method: {
      title: 'This page cannot be used like that',
      body: (newLink: Html) => html`<p>Nothing was done.</p>${newLink}`,
    },
  },
};
