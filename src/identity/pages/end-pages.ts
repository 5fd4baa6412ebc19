import type { AccountLink, Purpose } from '../account-link.ts';
import { html } from './html.ts';
import type { Page } from './page.ts';

/** The end of a sign-in: names both identities, so that a wrong one is noticed. */
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
