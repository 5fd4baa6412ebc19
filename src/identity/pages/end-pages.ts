import { type Html, html } from '../../html.ts';
import type { Texts } from '../../languages/english.ts';
import type { Purpose } from '../account-link.ts';
import type { Page } from './page.ts';

/** `account`: as the identity provider names it; undefined where its id token told no name. */
export type ShownPair = { person: string; account: string | undefined; purpose: Purpose };

type ConfirmPage = ShownPair & {
  /** Where the form goes. */
  action: string;
  draft: string;
  /** Another account, which is connected now and is not any more afterwards. */
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

/** Undefined where the name would tell nobody which account it is. */
function nameReplaced({ accountName }: { accountName?: string }, account: string | undefined): string | undefined {
  return accountName === account ? undefined : accountName;
}

/** The end of a sign-in. `undo`: for the form that takes it back. */
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
