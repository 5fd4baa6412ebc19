import type { Purpose } from '../account-link.ts';
import type { LinkRefusal } from '../identity-errors.ts';
import { type Html, html, type Page } from './page.ts';

/**
 * Each page says what happened, that nothing was connected, and what to do next. It contains no untrusted text.
 * `purpose`: of the sign-in, if known; without it a page names both commands.
 */
export function buildRefusalPage(reason: LinkRefusal, purpose?: Purpose): Page {
  return REFUSALS[reason](purpose);
}

type BuildRefusal = (purpose: Purpose | undefined) => Page;

const ALL_IS_WELL = html`If Slack says that your account is connected, all is well.`;

const REFUSALS: Record<LinkRefusal, BuildRefusal> = {
  ticket_unknown: (purpose) =>
    refuse(
      410,
      'This link does not work any more',
      html`<p>A sign-in link works once, for 10 minutes. This one was used before, is too old, or is not complete. ${ALL_IS_WELL}</p>${buildNewLink(purpose)}`,
    ),
  step_unknown: (purpose) =>
    refuse(
      410,
      'This step is over',
      html`<p>This page was used already, or too much time has passed. ${ALL_IS_WELL}</p>${buildNewLink(purpose)}`,
    ),
  other_browser: (purpose) =>
    refuse(
      403,
      'This sign-in began in another browser',
      html`<p>It has to end in the browser it began in, which must accept cookies from this site. Nothing was connected.</p>${buildNewLink(purpose)}`,
    ),
  wrong_person: (purpose) =>
    refuse(
      403,
      'This link belongs to somebody else',
      html`<p>In this browser you are signed in to Slack as somebody other than the person the link was made for. Nothing was connected.</p>
<p><strong>If somebody sent you the link:</strong> close this page. In Slack you can ask for a link of your own: type ${buildCommand(purpose)}.</p>
<p><strong>If it is your own:</strong> sign in to Slack in this browser with the account you asked with, in the same workspace, then ask for a new link in Slack.</p>`,
    ),
  denied: (purpose) =>
    refuse(
      403,
      'The sign-in was cancelled',
      html`<p>You or your organisation said no. Nothing was connected.</p>${buildNewLink(purpose)}<p>If it happens again without you cancelling, ask the people who run the assistant whether your account may use it.</p>`,
    ),
  consent_needed: () =>
    refuse(
      403,
      'Your organisation has to allow this first',
      html`<p>An administrator has to give this app permission before you can sign in. Nothing was connected.</p><p><strong>What to do:</strong> tell the people who run the assistant that the app needs an administrator's consent. When they have given it, ask for a new link in Slack.</p>`,
    ),
  slack_failed: (purpose) =>
    refuse(
      502,
      'Slack did not confirm who you are',
      html`<p>The sign-in with Slack did not come to an end. Nothing was connected.</p>${buildNewLink(purpose)}`,
    ),
  slack_unavailable: () =>
    refuse(
      503,
      'Slack cannot be reached',
      html`<p>Nothing was connected.</p><p><strong>What to do:</strong> wait a minute, go back one page and press Continue again. If that does not work, ask for a new link in Slack.</p>`,
    ),
  provider_failed: (purpose) =>
    refuse(
      502,
      'The sign-in did not work',
      html`<p>Your organisation's sign-in did not confirm your account. Nothing was connected.</p>${buildNewLink(purpose)}<p>If it happens again, tell the people who run the assistant.</p>`,
    ),
};

/** For pages of no particular sign-in. */
const NEW_LINK = buildNewLink(undefined);

export const UNAVAILABLE_PAGE = refuse(
  503,
  'The sign-in cannot be used right now',
  html`<p>Something it needs does not answer. Nothing was connected.</p><p><strong>What to do:</strong> wait a few minutes, then ask for a new link in Slack.</p>`,
);

export const MISCONFIGURED_PAGE = refuse(
  500,
  'The sign-in is not set up correctly',
  html`<p>A setting of this app is wrong, so this sign-in works for nobody. It is not about you, and nothing was connected.</p><p><strong>What to do:</strong> tell the people who run the assistant; the reason is in its log. When they have put it right, ask for a new link in Slack.</p>`,
);

export const FAILED_PAGE = refuse(
  500,
  'Something went wrong here',
  html`<p>It is our fault, not yours, and nothing was connected.</p>${NEW_LINK}<p>If it happens again, tell the people who run the assistant.</p>`,
);

export const CROSS_SITE_PAGE = refuse(
  403,
  'This form came from another site',
  html`<p>A sign-in can be continued only on its own page. Nothing was done.</p>${NEW_LINK}`,
);

export const BAD_FORM_PAGE = refuse(400, 'This form is not complete', html`<p>Nothing was done.</p>${NEW_LINK}`);

export const NOT_FOUND_PAGE = refuse(
  404,
  'There is no such page',
  html`<p>The address is not complete, or not from here.</p>${NEW_LINK}`,
);

export const WRONG_METHOD_PAGE = refuse(
  405,
  'This page cannot be used like that',
  html`<p>Nothing was done.</p>${NEW_LINK}`,
);

function refuse(status: number, title: string, body: Html): Page {
  return { status, title, body };
}

function buildNewLink(purpose: Purpose | undefined): Html {
  return html`<p><strong>What to do:</strong> go back to Slack and ask for a new link: type ${buildCommand(purpose)}, or repeat what you asked.</p>`;
}

function buildCommand(purpose: Purpose | undefined): Html {
  if (purpose === 'admin') return html`<strong>/assistant-admin sign-in</strong>`;
  if (purpose === 'assistant') return html`<strong>/assistant sign-in</strong>`;
  return html`<strong>/assistant sign-in</strong> (for admin commands <strong>/assistant-admin sign-in</strong>)`;
}
