import { type Html, html } from '../../html.ts';
import type { Texts } from '../../languages/english.ts';
import type { ChannelAnswers, Purpose } from '../account-link.ts';
import type { Page } from './page.ts';

type StartPage = {
  ticket: string;
  /** Where the form goes. */
  action: string;
  /** The person in Slack, as people know them. */
  person: string;
  purpose: Purpose;
  /** The choice that is proposed. */
  channelAnswers: ChannelAnswers;
  /** Where the browser is sent after the form: Chromium applies `form-action` to redirects, too. */
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
