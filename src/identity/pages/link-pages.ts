import { type Html, html } from '../../html.ts';
import type { Texts } from '../../languages/english.ts';
import type { ChannelAnswers, Purpose } from '../account-link.ts';
import { LINK_REFUSALS } from '../identity-errors.ts';
import type { Page } from './page.ts';

type StartPage = {
  ticket: string;
  /** Where the form goes. */
  action: string;
  /** The person's name in Slack. */
  person: string;
  purpose: Purpose;
  /** The choice that is proposed. */
  channelAnswers: ChannelAnswers;
  /** Where the form may redirect to: Chromium applies `form-action` to redirects, too. */
  formTargets: readonly string[];
};

/** Opening it changes nothing, because link previews and mail scanners open every link. */
export function buildStartPage(page: StartPage, { pages }: Texts): Page {
  const texts = pages.start;
  const body = html`<p>${texts.about(page.person)}</p>
<p>${texts.effect[page.purpose]}</p>
<p>${texts.way}</p>
<p>${texts.warning}</p>
<form method="post" action="${page.action}">
<input type="hidden" name="ticket" value="${page.ticket}">
${page.purpose === 'assistant' ? buildChoice(page.channelAnswers, texts) : html``}
<button type="submit">${texts.continue}</button>
</form>`;
  return { status: 200, title: texts.title, body, formTargets: page.formTargets };
}

function buildChoice(proposed: ChannelAnswers, texts: Texts['pages']['start']): Html {
  const option = (value: ChannelAnswers, label: string, meaning: string) => {
    const checked = value === proposed ? html` checked` : html``;
    return html`<label><input type="radio" name="channelAnswers" value="${value}"${checked}>
<span><strong>${label}</strong>${meaning}</span></label>`;
  };
  return html`<fieldset>
<legend>${texts.choice}</legend>
${option('thread', texts.thread, texts.threadMeans)}
${option('private', texts.private, texts.privateMeans)}
</fieldset>`;
}

/** `account`: its name at the identity provider. Undefined: the id token has no name. */
export type ShownPair = { person: string; account: string | undefined; purpose: Purpose };

type ConfirmPage = ShownPair & {
  /** Where the form goes. */
  action: string;
  draft: string;
  /** Another account, which is connected now and will be replaced. */
  replaced?: { accountName?: string } | undefined;
};

/** Nothing is linked before the person has seen both names and pressed Connect. */
export function buildConfirmPage(page: ConfirmPage, { pages }: Texts): Page {
  const texts = pages.confirm;
  const body = html`${buildPair(page, pages.pair)}
<p><strong>${texts.onlyYours}</strong> ${texts.meaning[page.purpose]}</p>
${page.replaced ? html`<p>${texts.replaces(nameReplaced(page.replaced, page.account))}</p>` : html``}
<p>${texts.notYours}</p>
<form method="post" action="${page.action}">
<input type="hidden" name="draft" value="${page.draft}">
<div class="buttons">
<button type="submit" name="decision" value="connect">${texts.connect}</button>
<button type="submit" name="decision" value="cancel" class="quiet">${texts.cancel}</button>
</div>
</form>`;
  return { status: 200, title: texts.title, body, formTargets: ["'self'"] };
}

/** Undefined if the name does not distinguish the two accounts. */
function nameReplaced({ accountName }: { accountName?: string }, account: string | undefined): string | undefined {
  return accountName === account ? undefined : accountName;
}

/** The end of a sign-in. `undo`: for the form that undoes it. */
export function buildLinkedPage(pair: ShownPair, undo: { action: string; secret: string }, { pages }: Texts): Page {
  const texts = pages.linked;
  const body = html`${buildPair(pair, pages.pair)}\n<p>${texts.next[pair.purpose]}</p>`;
  const end = html`<p>${texts.mistake}</p>
<form method="post" action="${undo.action}">
<input type="hidden" name="undo" value="${undo.secret}">
<button type="submit" class="quiet">${texts.undo}</button>
</form>`;
  return { status: 200, title: texts.title, body, formTargets: ["'self'"], end };
}

export function buildUndonePage(purpose: Purpose, { pages }: Texts): Page {
  const { title, removed, again } = pages.undone;
  const command = purpose === 'admin' ? '/assistant-admin sign-in' : '/assistant sign-in';
  return { status: 200, title, body: html`<p>${removed}</p>\n<p>${again(command)}</p>`, end: html`` };
}

function buildPair({ person, account }: ShownPair, texts: Texts['pages']['pair']): Html {
  const shown = account === undefined ? texts.nameless : html`<strong>${account}</strong>`;
  return html`<dl>
<div><dt>${texts.slackAccount}</dt><dd><strong>${person}</strong></dd></div>
<div><dt>${texts.workAccount}</dt><dd>${shown}</dd></div>
</dl>`;
}

/** `declined`: Cancel on the page with both names. `unavailable`, `misconfigured`, `failed`: not only this sign-in. */
const OTHERS = {
  declined: { status: 200 },
  unavailable: { status: 503 },
  misconfigured: { status: 500 },
  failed: { status: 500 },
  cross_site: { status: 403 },
  not_undone: { status: 410 },
  bad_form: { status: 400 },
  not_found: { status: 404 },
  wrong_method: { status: 405 },
};

const PAGES = { ...LINK_REFUSALS, ...OTHERS };

/** The reasons of refusal pages. */
export type Refusal = keyof typeof PAGES;

/**
 * Each page says what happened, that nothing was connected, and what to do next. It contains no untrusted text.
 * `purpose`: of the sign-in, if known; without it a page names both commands.
 */
export function buildRefusalPage(reason: Refusal, purpose: Purpose | undefined, { refusals }: Texts): Page {
  const { title, body } = refusals.pages[reason];
  const command = purpose ? COMMANDS[purpose] : refusals.eitherCommand(COMMANDS.assistant, COMMANDS.admin);
  return { status: PAGES[reason].status, title, body: body(refusals.newLink(command), command), end: html`` };
}

const COMMANDS: Record<Purpose, Html> = {
  assistant: html`<strong>/assistant sign-in</strong>`,
  admin: html`<strong>/assistant-admin sign-in</strong>`,
};
