import { type Html, html } from '../../html.ts';
import type { Page } from '../../identity/pages/page.ts';
import type { InstallRefusedError } from './oauth-installation-store.ts';

/** The target of the form, and of its redirects: Chromium applies `form-action` to redirects too. */
export type InstallForm = { action: string; formTargets: readonly string[] };

/** A page from which the installation begins, or begins again: `label` is on the button that does it. */
type FormPage = { label: string; status: number; title: string; body: Html };

const FORM_PAGES = {
  /** Opening it changes nothing, because link previews open every link. */
  begin: {
    label: 'Continue to Slack',
    status: 200,
    title: 'Add the assistant to Slack',
    body: html`<p>This adds the assistant to a Slack workspace, or to a whole Enterprise organisation. People there can ask it questions then; everybody signs in with their own work account first.</p>
<p>Next, Slack asks you where to add it and shows what it may do there. You need the right to install apps.</p>
<p>It can be added only where the people who run the assistant allow it.</p>`,
  },
  /** The state was used already, is too old, or is from another browser. */
  expired: {
    label: 'Start again',
    status: 410,
    title: 'This step is over',
    body: html`<p>An installation works only once, within 10 minutes, and in the browser it began in. If you have just allowed it in Slack, it may be installed already: look there under Apps. To start again does no harm.</p>`,
  },
  /** The installation began on Slack's own pages, so it has no state of ours. */
  notBegun: {
    label: 'Continue to Slack',
    status: 400,
    title: 'Start the installation here',
    body: html`<p>The assistant can be added from this page only, so that nobody can do it in your name. What you did in Slack has no effect here yet.</p>`,
  },
  cancelled: {
    label: 'Start again',
    status: 403,
    title: 'The installation was cancelled',
    body: html`<p>You said no in Slack, or may not install apps there. Nothing was installed.</p>
<p>Where apps need an approval, ask an admin of your Slack workspace to open this page.</p>`,
  },
  unavailable: {
    label: 'Try again',
    status: 503,
    title: 'The assistant cannot be installed right now',
    body: html`<p>Slack, or another service that the assistant needs, does not answer. Wait a few minutes before you try again.</p>`,
  },
  failed: {
    label: 'Try again',
    status: 500,
    title: 'Something went wrong here',
    body: html`<p>It is our fault, not yours. If it happens again, tell the people who run the assistant.</p>`,
  },
} satisfies Record<string, FormPage>;

export function buildFormPage(name: keyof typeof FORM_PAGES, { action, formTargets }: InstallForm): Page {
  const { label, body, ...page } = FORM_PAGES[name];
  const form = html`<form method="post" action="${action}">
<button type="submit">${label}</button>
</form>`;
  return { ...page, formTargets, body: html`${body}\n${form}` };
}

/** Pages without a button. */
export const PLAIN_PAGES = {
  /** The configuration of the Slack app is wrong. */
  slackRefused: {
    status: 502,
    title: 'Slack refused the installation',
    body: html`<p>It is not your fault, and nothing was installed here.</p>
<p><strong>What to do:</strong> tell the people who run the assistant; the reason is in its log.</p>`,
  },
  crossSite: {
    status: 403,
    title: 'This form came from another site',
    body: html`<p>The assistant can be added from its own page only. Nothing was done.</p>`,
  },
  wrongMethod: {
    status: 405,
    title: 'This page cannot be used like that',
    body: html`<p>Nothing was done.</p>`,
  },
} satisfies Record<string, Page>;

/** `name`: of the workspace or organisation in Slack, for example `Acme`. */
export function buildInstalledPage({ workspace, name, isOrganisation }: InstalledPage): Page {
  const where = isOrganisation ? 'the organisation' : 'the workspace';
  const next = isOrganisation
    ? html`<p><strong>One more step:</strong> people see it only in workspaces it was added to. In the settings of your organisation in Slack, choose Integrations, Installed apps, and add it to the workspaces that are to have it.</p>`
    : html`<p><strong>Try it:</strong> write to it in a direct message in Slack, or mention it in a channel that you have invited it to.</p>`;
  return {
    status: 200,
    title: 'The assistant is installed',
    body: html`<p>It was added to ${where} <strong>${name}</strong> (${workspace}).</p>
${next}
<p>You can close this page.</p>`,
  };
}

type InstalledPage = { workspace: string; name: string; isOrganisation: boolean };

export function buildRefusedPage({ reason, workspace, isRemoved }: InstallRefusedError): Page {
  const removal = isRemoved
    ? html`<p>The app was removed there again. Nothing of it is kept.</p>`
    : html`<p>The app may still be on the list of apps in Slack, but cannot do anything. Remove it there.</p>`;
  switch (reason) {
    case 'not_allowed':
      return {
        status: 403,
        title: 'The assistant may not be added there',
        body: html`<p>The people who run the assistant have not allowed it in <strong>${workspace}</strong>.</p>
${removal}
<p><strong>What to do:</strong> ask them to add <strong>${workspace}</strong> to <strong>SLACK_ALLOWED_TEAMS</strong> and to start the assistant again. Then add it once more.</p>`,
      };
    case 'incomplete':
      return {
        status: 502,
        title: 'Slack did not finish the installation',
        body: html`<p>Slack did not say where the app was installed, or gave it no rights.</p>
${removal}
<p><strong>What to do:</strong> tell the people who run the assistant. They find the reason in its log.</p>`,
      };
  }
}
