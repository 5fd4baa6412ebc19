import type { AccountLink, ChannelAnswers, Purpose } from '../account-link.ts';
import { type Html, html, type Page } from './page.ts';

type StartPage = {
  ticket: string;
  /** Where the form goes. */
  action: string;
  /** The person in Slack, as people know them. */
  person: string;
  purpose: Purpose;
  /** The choice that is proposed. */
  channelAnswers: ChannelAnswers;
  /** `code`: no Sign in with Slack on the way, a code at the end. */
  variant: 'browser' | 'code';
  /** Where the browser is sent after the form: Chromium applies `form-action` to redirects, too. */
  formTargets: readonly string[];
};

/** Opening it changes nothing, because link previews and mail scanners open every link. */
export function buildStartPage(page: StartPage): Page {
  const body = html`<p>You are about to connect the Slack account <strong>${page.person}</strong> with your work account.</p>
<p>${buildEffect(page.purpose)}</p>
<p>${buildWay(page.variant)}</p>
<p>Did somebody else send you this link? Then close this page. It belongs to ${page.person} only.</p>
<form method="post" action="${page.action}">
<input type="hidden" name="ticket" value="${page.ticket}">
${page.purpose === 'assistant' ? buildChoice(page.channelAnswers) : html``}
<button type="submit">Continue</button>
</form>`;
  return { status: 200, title: 'Connect your account', body, formTargets: page.formTargets };
}

function buildEffect(purpose: Purpose): Html {
  return purpose === 'assistant'
    ? html`From then on the assistant answers your questions in Slack with your own access rights: it finds what you may see, and nothing else.`
    : html`From then on the admin commands you give in Slack are carried out with your own admin rights. This is separate from the sign-in for asking questions.`;
}

function buildWay(variant: StartPage['variant']): Html {
  return variant === 'browser'
    ? html`Next, Slack confirms who you are, then you sign in to your work account. It takes about a minute.`
    : html`Next, you sign in to your work account. Then you get a code to type into Slack. It takes about a minute.`;
}

function buildChoice(proposed: ChannelAnswers): Html {
  const option = (value: ChannelAnswers, label: string, meaning: string) => {
    const checked = value === proposed ? html` checked` : html``;
    return html`<label><input type="radio" name="channelAnswers" value="${value}"${checked}>
<span><strong>${label}</strong>${meaning}</span></label>`;
  };
  return html`<fieldset>
<legend>When you ask in a channel, where should the answer go?</legend>
${option('thread', 'In the thread', 'All members of the channel can read the answer, and it comes from your own access: it may contain what only you may see.')}
${option('private', 'To you alone, in a direct message', 'The thread only shows that you were answered. You can share an answer there afterwards.')}
</fieldset>`;
}

/** The end of a sign-in: shows both identities, so that people notice a wrong one. */
export function buildLinkedPage(person: string, link: AccountLink): Page {
  const account =
    link.accountName === undefined
      ? html`<p>Work account: <strong>the account's name is unknown</strong>, because the sign-in did not tell it.</p>`
      : html`<p>Work account: <strong>${link.accountName}</strong></p>`;
  const body = html`<p>Slack account: <strong>${person}</strong></p>
${account}
<p>${buildNext(link.purpose)} You can close this page.</p>
<p>Is one of the two not yours? Then type <strong>/assistant sign-out</strong> in Slack now.</p>`;
  return { status: 200, title: 'Your accounts are connected', body };
}

/** Nothing is linked yet: the code, typed into Slack by the person who asked for it, is the second proof. */
export function buildCodePage(person: string, code: string): Page {
  const body = html`<p>You are signed in. Type this code into Slack to finish:</p>
<p class="code">${code}</p>
<p>Go back to Slack, press <strong>Enter code</strong> below the message that asked you to sign in, and type it there. It works for 5 minutes, and you have 5 tries.</p>
<p><strong>Enter it only if you started this in Slack yourself, as ${person}.</strong> Do not give it to anybody: whoever has it can ask questions with your access rights. If somebody sent you here, close this page; nothing was connected.</p>`;
  return { status: 200, title: 'One more step, in Slack', body };
}

function buildNext(purpose: Purpose): string {
  return purpose === 'assistant'
    ? 'Go back to Slack: a question you asked before is being answered, and you can ask the next one.'
    : 'Go back to Slack and give your admin command again.';
}
