import { type Html, html } from '../../html.ts';
import type { Texts } from '../../languages/english.ts';
import type { Purpose } from '../account-link.ts';
import type { LinkRefusal } from '../identity-errors.ts';
import type { Page } from './page.ts';

/**
 * Why there is no other page. `declined`: they pressed Cancel on the page with both names; `unavailable`, `misconfigured`
 * and `failed`: not about this sign-in alone.
 */
export type Refusal =
  | LinkRefusal
  | 'declined'
  | 'unavailable'
  | 'misconfigured'
  | 'failed'
  | 'cross_site'
  | 'nothing_to_undo'
  | 'bad_form'
  | 'not_found'
  | 'wrong_method';

const STATUS: Record<Refusal, number> = {
  ticket_unknown: 410,
  step_unknown: 410,
  other_browser: 403,
  wrong_person: 403,
  denied: 403,
  consent_needed: 403,
  slack_failed: 502,
  slack_unavailable: 503,
  other_tenant: 403,
  provider_failed: 502,
  declined: 200,
  unavailable: 503,
  misconfigured: 500,
  failed: 500,
  cross_site: 403,
  nothing_to_undo: 410,
  bad_form: 400,
  not_found: 404,
  wrong_method: 405,
};

/**
 * Each page says what happened, that nothing was connected, and what to do next. It contains no untrusted text.
 * `purpose`: of the sign-in, if known; without it a page names both commands.
 */
export function buildRefusalPage(reason: Refusal, purpose: Purpose | undefined, { refusals }: Texts): Page {
  const { title, body } = refusals.pages[reason];
  const command = purpose ? COMMANDS[purpose] : refusals.eitherCommand(COMMANDS.assistant, COMMANDS.admin);
  return { status: STATUS[reason], title, body: body(refusals.newLink(command), command), end: html`` };
}

const COMMANDS: Record<Purpose, Html> = {
  assistant: html`<strong>/assistant sign-in</strong>`,
  admin: html`<strong>/assistant-admin sign-in</strong>`,
};
