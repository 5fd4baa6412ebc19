/** People to switch between, and the conversations of whoever is chosen. */
import { html, nothing, type TemplateResult } from 'lit';
import type { ShownConversation, ShownPerson } from '../sight.ts';
import { renderAvatar } from './avatar.ts';
import type { Desk } from './desk.ts';
import { type IconName, renderIcon } from './icons.ts';
import type { Theme } from './theme.ts';

type Frame = { theme: Theme; turnTheme(): void; turnPanel(): void; close(): void };

const ROLES: Record<ShownPerson['role'], string> = { admin: 'Administrator', guest: 'Guest', member: 'Employee' };

export function renderSideBar(desk: Desk, frame: Frame): TemplateResult {
  const { sight, place } = desk;
  const me = sight.people.find(({ id }) => id === place.person);
  const isRoom = ({ kind }: ShownConversation) => kind === 'public' || kind === 'private';
  return html`<div class="curtain" @click=${frame.close}></div>
    <nav class="people" aria-label="People">
      ${sight.people.map((person) => renderPerson(desk, person))}
    </nav>
    <section class="side" aria-label=${sight.team}>
      <div class="side-head">
        <strong class="team">${sight.team}</strong>
        <p class="whoami">${me ? html`${me.name}<br><small>${ROLES[me.role]}<br>${describeClock(me.timeZone, sight.me.locale)}</small>` : nothing}</p>
      </div>
      <nav class="places" aria-label="Conversations" ?inert=${sight.modal !== undefined}>
        ${renderGroup(desk, 'Channels', sight.conversations.filter(isRoom))}
        ${renderGroup(
          desk,
          'Direct messages',
          sight.conversations.filter(({ kind, id }) => kind === 'mpim' || (kind === 'im' && id !== sight.app.dm)),
        )}
        ${renderGroup(
          desk,
          'Apps',
          sight.conversations.filter(({ id }) => id === sight.app.dm),
        )}
      </nav>
      <div class="side-foot">
        ${sight.hasPanel ? html`<button type="button" class="quiet" @click=${frame.turnPanel}>Control panel</button>` : nothing}
        <button type="button" class="quiet" @click=${frame.turnTheme}>Theme: ${frame.theme}</button>
        <small>A simulation. Nothing leaves this machine.</small>
      </div>
    </section>`;
}

function renderPerson({ place, go }: Desk, person: ShownPerson): TemplateResult {
  const isMe = person.id === place.person;
  const words = `${person.name}, ${ROLES[person.role]}`;
  const [first, ...rest] = person.name.split(' ');
  const become = () => go({ person: person.id });
  return html`<button type="button" class="person" aria-current=${isMe ? 'true' : 'false'} title=${words} @click=${isMe ? nothing : become}>
    ${renderAvatar(person.id, person.name)}<span>${first}</span><span class="unseen"> ${rest.join(' ')}, ${ROLES[person.role]}</span>
    ${person.hasNews && !isMe ? html`<span class="dot"><span class="unseen">, has news</span></span>` : nothing}
  </button>`;
}

function renderGroup(desk: Desk, title: string, conversations: ShownConversation[]): TemplateResult | typeof nothing {
  if (conversations.length === 0) return nothing;
  return html`<section><h2>${title}</h2><ul>${conversations.map((one) => html`<li>${renderConversationLink(desk, one)}</li>`)}</ul></section>`;
}

function renderConversationLink(
  { sight, place, go }: Desk,
  { id, name, kind, unread, isShared }: ShownConversation,
): TemplateResult {
  const isHere = place.channel === id || (place.channel === 'home' && id === sight.app.dm);
  const open = () => go({ channel: id, thread: undefined });
  return html`<button type="button" class=${`place${unread > 0 && !isHere ? ' unread' : ''}`} aria-current=${isHere ? 'page' : 'false'} @click=${open}>
    ${renderIcon(SIGNS[kind])}<span class="place-name">${name}</span>
    ${isShared ? html`<small>shared</small>` : nothing}
    ${unread > 0 && !isHere ? html`<span class="count">${unread}<span class="unseen"> unread</span></span>` : nothing}
  </button>`;
}

export const SIGNS: Record<ShownConversation['kind'], IconName> = {
  public: 'hash',
  private: 'lock',
  im: 'spark',
  mpim: 'group',
};

function describeClock(timeZone: string, locale: string): string {
  const time = new Intl.DateTimeFormat(locale, { timeZone, hour: 'numeric', minute: '2-digit' }).format(new Date());
  return `${timeZone.split('/').at(-1)?.replaceAll('_', ' ')} ${time}`;
}
