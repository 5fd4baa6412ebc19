/** The conversation in the middle: its head, its messages, and where to write; or the app's home tab. */
import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { ShownConversation, Sight } from '../sight.ts';
import { renderAvatar } from './avatar.ts';
import { renderBlocks } from './blocks/render-blocks.ts';
import type { Desk } from './desk.ts';
import { renderIcon } from './icons.ts';
import './message-composer.ts';
import { renderMessages } from './message-list.ts';
import { SIGNS } from './side-bar.ts';

type Frame = { openMenu(): void };

export function renderConversation(desk: Desk, frame: Frame): TemplateResult {
  const { sight, place } = desk;
  const isHome = place.channel === 'home';
  const channel = sight.conversations.find(({ id }) => id === (isHome ? sight.app.dm : place.channel));
  const menu = html`<button type="button" class="quiet menu-button" aria-label="Conversations" @click=${frame.openMenu}>${renderIcon('menu')}</button>`;
  if (!channel) return html`<section class="conversation"></section>`;
  const isApp = channel.id === sight.app.dm;
  const isGuest = sight.people.some(({ id, role }) => id === place.person && role === 'guest');
  return html`<section class="conversation" aria-label=${channel.name}>
    <header class="pane-head">${menu}
      <h2>${renderIcon(SIGNS[channel.kind])} ${channel.name}</h2>
      ${isApp ? renderTabs(desk, isHome) : html`<span class="about">${describe(channel)}</span>${channel.hasApp || isGuest || channel.kind === 'im' ? nothing : renderInvite(desk, channel)}`}
    </header>
    ${isHome ? renderHomeTab(desk) : renderTalk(desk, channel)}
  </section>`;
}

function renderTabs({ sight, go }: Desk, isHome: boolean): TemplateResult {
  const tab = (name: string, channel: string, isHere: boolean) =>
    html`<button type="button" class="tab" aria-current=${isHere ? 'page' : 'false'} @click=${() => go({ channel, thread: undefined })}>${name}</button>`;
  return html`<nav class="tabs" aria-label="The app">${tab('Messages', sight.app.dm, !isHome)}${tab('Home', 'home', isHome)}</nav>`;
}

function describe({ members, isShared }: ShownConversation): string {
  const shared = isShared ? ' · shared with another organisation' : '';
  return `${members.length} ${members.length === 1 ? 'member' : 'members'}${shared}`;
}

function renderInvite({ sight, do: act }: Desk, { id }: ShownConversation): TemplateResult {
  const invite = () => act('invite', { channel: id, user: sight.app.id });
  return html`<button type="button" class="button" @click=${invite}>Add ${sight.names[sight.app.id]}</button>`;
}

function renderHomeTab(desk: Desk): TemplateResult {
  const { home } = desk.sight;
  return html`<div class="scroller home" tabindex="0" role="region" aria-label="Home">
    ${home ? renderBlocks(home.blocks, desk.context(home), home.entered) : html`<div class="empty"><p>The app has not put anything here yet.</p></div>`}
  </div>`;
}

function renderTalk(desk: Desk, channel: ShownConversation): TemplateResult {
  const { sight } = desk;
  const isApp = channel.id === sight.app.dm;
  const draft = `${desk.place.person} ${channel.id}`;
  const say = async (given: { text: string }) => {
    const said = await desk.do<{ ts: string }>('say', { ...given, channel: channel.id });
    desk.scrollToEnd(draft);
    if (said && !channel.hasApp && given.text.includes(`<@${sight.app.id}>`))
      desk.tell(`${sight.names[sight.app.id]} is not in here, so it has not heard you. Add it first.`);
    // With the app every question is a thread.
    if (said?.ts && isApp) desk.go({ thread: said.ts });
    return said !== undefined;
  };
  return html`<div class="scroller messages" data-place=${draft} role="log" aria-label=${`Messages in ${channel.name}`} tabindex="0"><div>
      ${sight.channel !== channel.id ? nothing : sight.messages.length > 0 ? renderMessages(desk, sight.messages) : renderStart(desk, channel, say)}
    </div></div>
    ${isApp && hasOnlyGreeting(sight) ? renderPrompts(sight.app.prompts, (text) => say({ text })) : nothing}
    ${keyed(draft, html`<message-composer .sight=${sight} .channel=${channel.id} .label=${`Message ${channel.kind === 'public' ? '#' : ''}${channel.name}`} .draft=${draft} .send=${say}></message-composer>`)}`;
}

/** What can be asked is offered until somebody has. */
function hasOnlyGreeting({ messages, me }: Sight): boolean {
  return messages.length > 0 && messages.every(({ user }) => user !== me.id);
}

/** Nobody has written there yet. */
function renderStart(
  { sight }: Desk,
  channel: ShownConversation,
  say: (given: { text: string }) => Promise<boolean>,
): TemplateResult {
  const { app } = sight;
  const isApp = channel.id === app.dm;
  if (!channel.hasApp)
    return html`<div class="empty"><p>Nobody has written here yet, and ${sight.names[app.id]} is not in here.</p></div>`;
  const where = isApp ? 'Only the two of you see it.' : 'Everybody here sees the question.';
  return html`<div class="empty">${renderAvatar(app.id, '', true)}<p>Ask ${sight.names[app.id]} something. ${where}</p>
    ${renderPrompts(app.prompts, (message) => say({ text: isApp ? message : `<@${app.id}> ${message}` }))}
  </div>`;
}

function renderPrompts(prompts: Sight['app']['prompts'], ask: (message: string) => void): TemplateResult {
  return html`<p class="prompts">${prompts.map(({ title, message }) => html`<button type="button" class="button" @click=${() => ask(message)}>${title}</button>`)}</p>`;
}
