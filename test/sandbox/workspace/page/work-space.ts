/** The page: who is looking, at what, and what they do there. Everything shown comes from the sandbox. */
import { html, nothing, type TemplateResult } from 'lit';
import type { ShownView, Sight } from '../sight.ts';
import { createBlockContext } from './block-context.ts';
import './blocks/slack-modal.ts';
import { renderConversation } from './conversation-pane.ts';
import type { Desk } from './desk.ts';
import { renderIcon } from './icons.ts';
import { bindMenus } from './menus.ts';
import { type Place, readPlace, toHash } from './place.ts';
import { own, PageElement } from './properties.ts';
import { act, follow, openLink } from './sandbox-client.ts';
import { renderSideBar } from './side-bar.ts';
import { nextTheme, readTheme, type Theme } from './theme.ts';
import { renderThread } from './thread-pane.ts';

/** Only where the server has one. It defines `<control-panel>`. */
const PANEL = '/page/panel.ts';

type State = {
  place: Place;
  sight: Sight | undefined;
  notices: string[];
  fieldErrors: Record<string, string>;
  editing: string | undefined;
  isLost: boolean;
  isMenuOpen: boolean;
  isPanelOpen: boolean;
  theme: Theme;
};

class WorkSpace extends PageElement {
  static override properties = own('state');
  declare state: State;
  #stopFollowing = () => {};
  #closing: string | undefined;
  #warned: { person: string; count: number } | undefined;

  constructor() {
    super();
    this.state = {
      ...{ place: readPlace(location.hash), sight: undefined, notices: [], fieldErrors: {}, editing: undefined },
      ...{ isLost: false, isMenuOpen: false, isPanelOpen: false, theme: readTheme() },
    };
  }

  #set(changes: Partial<State>): void {
    this.state = { ...this.state, ...changes };
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('hashchange', () => this.#arrive(readPlace(location.hash)));
    bindMenus(this);
    this.addEventListener('click', (event) => this.#followLink(event));
    // Wherever the focus is: behind a modal it may be nowhere.
    addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog:modal')) return;
      const { sight, isMenuOpen, place } = this.state;
      if (sight?.modal) void this.#close(sight.modal.id);
      else if (isMenuOpen) this.#set({ isMenuOpen: false });
      else if (place.thread) this.#go({ thread: undefined });
    });
    this.#arrive(this.state.place);
  }

  #go(to: Partial<Place>): void {
    location.hash = toHash({ ...this.state.place, ...to });
  }

  #arrive(place: Place): void {
    const { sight } = this.state;
    const before = sight && this.state.place;
    this.#set({ place, notices: [], editing: undefined, isMenuOpen: false });
    this.#stopFollowing();
    this.#stopFollowing = follow(
      place,
      (sight) => this.#see(sight),
      (isLost) => this.#set({ isLost }),
    );
    if (before?.thread !== undefined && place.thread === undefined) this.#focus('.conversation textarea');
    const isNew = before?.person !== place.person || before.channel !== place.channel;
    if (isNew && place.channel === 'home') void this.#do('opensHome', {});
    if (isNew && sight?.app.dm === place.channel) void this.#do('opensMessages', {});
  }

  #see(sight: Sight): void {
    const count = this.#warned?.person === sight.me.id ? this.#warned.count : sight.warnings.length;
    const told = sight.warnings.slice(count).map(({ text }) => text);
    this.#warned = { person: sight.me.id, count: sight.warnings.length };
    if (told.length > 0) this.#set({ notices: [...this.state.notices, ...told] });
    if (sight.modal?.id !== this.state.sight?.modal?.id) this.#set({ fieldErrors: {} });
    this.#set({ sight });
    this.#findPlace(sight);
  }

  /** Not everybody is in every conversation, and everybody has their own with the app. */
  #findPlace({ app, conversations }: Sight): void {
    const { channel } = this.state.place;
    if (channel === 'home' || conversations.some(({ id }) => id === channel)) return;
    const other = channel.startsWith('D') ? app.dm : (conversations[0]?.id ?? app.dm);
    location.replace(toHash({ ...this.state.place, channel: other, thread: undefined }));
  }

  /** Whether it was allowed; what was wrong is shown. */
  async #do<Result>(verb: string, given: object): Promise<Result | undefined> {
    try {
      this.#set({ notices: [] });
      return await act<Result>(this.state.place.person, verb, given);
    } catch (error) {
      this.#set({ notices: [...this.state.notices, error instanceof Error ? error.message : String(error)] });
      return undefined;
    }
  }

  /** Links lead to the pages of this simulation, as the person who is chosen here. */
  #followLink(event: MouseEvent): void {
    // Also where it stands in a component.
    const link = event.composedPath().find((one) => one instanceof HTMLAnchorElement && /^https?:/.test(one.href));
    if (!link) return;
    event.preventDefault();
    openLink(this.state.place.person, (link as HTMLAnchorElement).href);
  }

  #toDesk(sight: Sight): Desk {
    const timeZone = sight.people.find(({ id }) => id === sight.me.id)?.timeZone ?? 'UTC';
    const { place, editing, fieldErrors } = this.state;
    const desk: Omit<Desk, 'context'> = {
      ...{ sight, timeZone, place, editing },
      edit: (key) => this.#edit(key),
      focusComposer: (pane) => this.#focus(`.${pane} > message-composer textarea`),
      // Such a list begins at its end.
      scrollToEnd: (place) => this.querySelector(`[data-place="${place}"]`)?.scrollTo({ top: 0 }),
      go: (to) => this.#go(to),
      do: (verb, given) => this.#do(verb, given),
      tell: (sentence) => this.#set({ notices: [sentence] }),
    };
    const around = {
      ...desk,
      errors: fieldErrors,
      showErrors: (view: string, errors: Record<string, string>) => {
        // Somebody else may have been chosen meanwhile.
        if (this.state.sight?.modal?.id === view) this.#set({ fieldErrors: errors });
      },
      close: (view: string) => void this.#close(view),
    };
    return { ...desk, context: (holder) => createBlockContext(around, holder) };
  }

  /** A double click closes one modal, not the one below it as well. */
  async #close(view: string): Promise<void> {
    if (this.#closing === view) return;
    this.#closing = view;
    const isClosed = (await this.#do('closeView', { view })) !== undefined;
    if (!isClosed) this.#closing = undefined;
  }

  #edit(key: string | undefined): void {
    const edited = this.state.editing;
    this.#set({ editing: key });
    if (key === undefined) this.#focus(`[data-key="${edited}"] summary`);
  }

  /** After what had it is gone. */
  #focus(selector: string): void {
    void this.updateComplete.then(() => this.querySelector<HTMLElement>(selector)?.focus());
  }

  protected override updated(): void {
    // Above a modal, too, which may have come later.
    const notices = this.querySelector<HTMLElement>('.notices');
    notices?.hidePopover();
    if (notices?.querySelector('p')) notices.showPopover();
    const { sight, place } = this.state;
    const channel = sight?.conversations.find(({ id }) => id === place.channel);
    document.title = `${channel ? channel.name : place.channel === 'home' ? 'Home' : 'Workspace'} – ${sight?.names[place.person] ?? ''}`;
  }

  protected override render(): TemplateResult {
    const { sight, place, theme, isMenuOpen, isPanelOpen } = this.state;
    if (!sight || sight.me.id !== place.person)
      return html`<p class="waiting" role="status">Opening the workspace …</p>`;
    const desk = this.#toDesk(sight);
    const openMenu = () => this.#set({ isMenuOpen: !isMenuOpen });
    const turnTheme = () => this.#set({ theme: nextTheme(theme) });
    const open = { thread: place.thread, menu: isMenuOpen, panel: isPanelOpen };
    const having = Object.entries(open).map(([part, isOpen]) => (isOpen ? ` with-${part}` : ''));
    return html`<div class=${`frame${having.join('')}`}>
      ${renderSideBar(desk, { theme, turnTheme, turnPanel: () => this.#turnPanel(), close: openMenu })}
      <main ?inert=${sight.modal !== undefined}>
        <h1 class="unseen">${sight.team}</h1>
        ${renderConversation(desk, { openMenu })}
        ${place.thread ? renderThread(desk, place.thread) : nothing}
      </main>
      ${isPanelOpen ? this.#renderPanel() : nothing}
      ${this.#renderNotices()}
      ${sight.modal ? this.#renderModal(desk, sight.modal) : nothing}
    </div>`;
  }

  #renderModal(desk: Desk, modal: ShownView): TemplateResult {
    return html`<slack-modal .view=${modal} .context=${desk.context(modal)}></slack-modal>`;
  }

  async #turnPanel(): Promise<void> {
    await import(PANEL);
    this.#set({ isPanelOpen: !this.state.isPanelOpen, isMenuOpen: false });
  }

  #renderPanel(): TemplateResult {
    return html`<aside class="panel" aria-label="Control panel"><header class="pane-head"><h2>Control panel</h2><span class="about"></span>
      <button type="button" class="quiet" aria-label="Close the control panel" @click=${this.#turnPanel}>${renderIcon('close')}</button></header>
      <control-panel></control-panel></aside>`;
  }

  #renderNotices(): TemplateResult {
    const dismiss = () => this.#set({ notices: [] });
    const lost = this.state.isLost ? ['The simulation does not answer. Is it still running?'] : [];
    const texts = [...lost, ...this.state.notices];
    return html`<div class="notices" role="alert" popover="manual">${texts.map(
      (text) => html`<p class="notice">
      <span>${text}</span><button type="button" class="quiet" aria-label="Dismiss" @click=${dismiss}>${renderIcon('close')}</button></p>`,
    )}</div>`;
  }
}

customElements.define('work-space', WorkSpace);
