/** Messages one below the other, by day, with who wrote them and what can be done with each. */
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ShownMessage, Sight } from '../sight.ts';
import { renderAvatar } from './avatar.ts';
import { confirmFirst } from './blocks/confirm-first.ts';
import { renderMessageBody } from './blocks/render-blocks.ts';
import type { Desk } from './desk.ts';
import { renderIcon } from './icons.ts';
import { toTyped } from './typed-text.ts';

type ListOptions = { isThread?: boolean };

/** So soon after the last message of the same author the name is not repeated. */
const TOGETHER_S = 300;

export function renderMessages(desk: Desk, messages: ShownMessage[], options: ListOptions = {}): TemplateResult {
  const day = formatter(desk, { weekday: 'long', month: 'long', day: 'numeric' });
  const replies = messages.slice(1).filter(({ ephemeralFor }) => ephemeralFor === undefined).length;
  const rows = repeat(
    messages,
    ({ ts }) => ts,
    (message, index) => {
      const previous = messages[index - 1];
      const isNewDay = previous === undefined || day(previous.ts) !== day(message.ts);
      return html`${isNewDay ? html`<div class="day" role="separator"><span>${day(message.ts)}</span></div>` : nothing}
        ${renderMessage(desk, message, { ...options, isContinued: !isNewDay && continues(previous, message) })}
        ${options.isThread && index === 0 && replies > 0 ? html`<div class="replies-line">${countReplies(replies)}</div>` : nothing}`;
    },
  );
  return html`${rows}`;
}

function continues(previous: ShownMessage, message: ShownMessage): boolean {
  const isSame = previous.user === message.user && !previous.ephemeralFor && !message.ephemeralFor;
  return isSame && previous.thread.replies === 0 && Number(message.ts) - Number(previous.ts) < TOGETHER_S;
}

type RowOptions = ListOptions & { isContinued: boolean };

function renderMessage(
  desk: Desk,
  message: ShownMessage,
  { isContinued, isThread = false }: RowOptions,
): TemplateResult {
  const { sight } = desk;
  const name = toAuthor(message, sight);
  const isApp = message.botId !== undefined;
  const key = `${isThread ? 'thread ' : ''}${message.ts}`;
  const classes = `message${isContinued ? ' continued' : ''}${message.ephemeralFor ? ' ephemeral' : ''}`;
  const time = formatter(desk, { hour: 'numeric', minute: '2-digit' })(message.ts);
  return html`<article class=${classes} aria-label=${`${name}, ${time}`} data-key=${key}>
    ${isContinued ? html`<time class="in-margin">${time.replace(/\s.*/, '')}</time>` : renderAvatar(message.user, name, isApp)}
    <div class="said">
      ${message.ephemeralFor ? html`<p class="only-you">Only visible to you</p>` : nothing}
      ${isContinued ? nothing : html`<p class="author"><strong>${name}</strong>${isApp ? html`<span class="badge">APP</span>` : nothing}<time>${time}</time></p>`}
      ${desk.editing === key ? renderEditor(desk, message) : renderBody(desk, message)}
      ${isThread || message.ephemeralFor ? nothing : renderThreadLink(desk, message)}
    </div>
    ${message.ephemeralFor || message.subtype === 'tombstone' || desk.editing === key ? nothing : renderTools(desk, message, key)}
  </article>`;
}

function toAuthor({ user }: ShownMessage, { names }: Sight): string {
  return names[user] ?? (user === 'USLACKBOT' ? 'Slackbot' : user);
}

function renderBody(desk: Desk, message: ShownMessage): TemplateResult {
  return html`<div class=${`body${message.isStreaming ? ' growing' : ''}`}>
    ${renderMessageBody(message, desk.context(message))}${message.edited ? html`<span class="edited">(edited)</span>` : nothing}
  </div>`;
}

function renderEditor(desk: Desk, message: ShownMessage): TemplateResult {
  const save = async ({ text }: { text: string }) => {
    const isSaved = (await desk.do('edit', { message: refer(message), text })) !== undefined;
    if (isSaved) desk.edit(undefined);
    return isSaved;
  };
  return html`<message-composer .sight=${desk.sight} .channel=${message.channel} .label=${'Edit the message'} .initial=${toTyped(message.text, desk.sight.names)}
    .send=${save} .cancel=${() => desk.edit(undefined)}></message-composer>`;
}

function renderThreadLink(desk: Desk, { ts, threadTs, thread }: ShownMessage): TemplateResult | typeof nothing {
  if (threadTs !== undefined)
    return html`<button type="button" class="thread-link" @click=${() => desk.go({ thread: threadTs })}><strong>From a thread</strong></button>`;
  if (thread.replies === 0 && thread.status === undefined) return nothing;
  const time = thread.latestTs && formatter(desk, { hour: 'numeric', minute: '2-digit' })(thread.latestTs);
  return html`<button type="button" class="thread-link" @click=${() => desk.go({ thread: ts })}>
    ${thread.replies > 0 ? html`<strong>${countReplies(thread.replies)}</strong> <span>last at ${time}</span>` : nothing}
    ${thread.status ? html`<span class="working">${desk.sight.names[desk.sight.app.id]} ${thread.status}</span>` : nothing}
  </button>`;
}

function renderTools(desk: Desk, message: ShownMessage, key: string): TemplateResult {
  const isThread = key.startsWith('thread');
  const root = message.threadTs ?? message.ts;
  const isMine = message.user === desk.place.person;
  const item = (words: string, press: () => void) =>
    html`<li><button type="button" @click=${press}>${words}</button></li>`;
  return html`<div class="tools">
    ${isThread ? nothing : html`<button type="button" class="quiet" aria-label="Reply in a thread" title="Reply in a thread" @click=${() => desk.go({ thread: root })}>${renderIcon('reply')}</button>`}
    <details class="menu"><summary class="quiet" aria-label="More actions" title="More actions">${renderIcon('more')}</summary><ul>
      ${desk.sight.shortcuts.map(({ name, id }) => item(name, () => void desk.do('shortcut', { message: refer(message), callbackId: id })))}
      ${isMine ? item('Edit the message', () => desk.edit(key)) : nothing}
      ${isMine ? item('Delete the message', () => void remove(desk, message, isThread)) : nothing}
    </ul></details>
  </div>`;
}

/** Slack, too, asks first. */
async function remove(desk: Desk, message: ShownMessage, isThread: boolean): Promise<void> {
  const asked = { title: 'Delete message', text: 'It is gone for everybody.', confirm: 'Delete', style: 'danger' };
  if (!(await confirmFirst(asked, desk.context(message)))) return;
  await desk.do('delete', { message: refer(message) });
  desk.focusComposer(isThread ? 'thread' : 'conversation');
}

function refer({ channel, ts }: ShownMessage): { channel: string; ts: string } {
  return { channel, ts };
}

function countReplies(count: number): string {
  return count === 1 ? '1 reply' : `${count} replies`;
}

/** Of a message's `ts`, which is in seconds. */
function formatter({ sight, timeZone }: Desk, parts: Intl.DateTimeFormatOptions): (ts: string) => string {
  const format = new Intl.DateTimeFormat(sight.me.locale, { timeZone, ...parts });
  return (ts) => format.format(Number(ts) * 1000);
}
