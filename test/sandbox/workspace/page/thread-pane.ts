/** A thread at the side: its messages, what the app is doing about it, and where to answer. */
import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { Desk } from './desk.ts';
import { renderIcon } from './icons.ts';
import { renderMessages } from './message-list.ts';

export function renderThread(desk: Desk, ts: string): TemplateResult {
  const { sight, place } = desk;
  const thread = sight.thread?.ts === ts && sight.channel === place.channel ? sight.thread : undefined;
  const channel = sight.conversations.find(({ id }) => id === place.channel);
  const isWorking = thread && (thread.status !== undefined || thread.messages.some(({ isStreaming }) => isStreaming));
  const name = `${channel?.kind === 'public' ? '#' : ''}${channel?.name ?? ''}`;
  const draft = `${place.person} ${ts}`;
  const say = async (given: object) => {
    const said = await desk.do('say', { ...given, channel: place.channel, threadTs: ts });
    desk.scrollToEnd(draft);
    return said !== undefined;
  };
  return html`<section class="thread" aria-label="Thread">
    <header class="pane-head"><h2>Thread</h2><span class="about">${name}</span>
      <button type="button" class="quiet" aria-label="Close the thread" @click=${() => desk.go({ thread: undefined })}>${renderIcon('close')}</button></header>
    <div class="scroller messages" data-place=${draft} role="log" aria-label="Messages in the thread" tabindex="0"><div>
      ${thread ? renderMessages(desk, thread.messages, { isThread: true }) : html`<div class="empty"><p>This thread is not there any more.</p></div>`}
    </div></div>
    <div class="status-line" role="status">${
      isWorking
        ? html`<span class="working">${sight.names[sight.app.id]} ${thread.status ?? 'is writing…'}</span>
          <button type="button" class="button" @click=${() => desk.do('stop', { channel: place.channel, threadTs: ts })}>Stop</button>`
        : nothing
    }</div>
    ${keyed(draft, html`<message-composer .sight=${sight} .channel=${place.channel} .label=${'Reply in the thread'} .broadcastTo=${channel?.kind === 'im' ? undefined : name} .send=${say} .draft=${draft}></message-composer>`)}
  </section>`;
}
