/** The page: who is looking, at what, and what they do there. Everything shown comes from the sandbox. */
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import type { ShownView, Sight } from '../sight.ts';
import { createBlockContext } from './block-context.ts';
import './blocks/slack-modal.ts';
import { renderConversation } from './conversation-pane.ts';
import type { Desk } from './desk.ts';
import { renderIcon } from './icons.ts';
import { bindMenus } from './menus.ts';
import { type Place, readPlace, toHash } from './place.ts';
import { own } from './properties.ts';
import { act, follow, openLink } from './sandbox-client.ts';
import { renderSideBar } from './side-bar.ts';
import { nextTheme, readTheme, type Theme } from './theme.ts';
import { renderThread } from './thread-pane.ts';

/** Only where the server has one. It defines `<control-panel>`. */
const PANEL = '/page/panel.ts';

class WorkSpace extends LitElement {
  static override properties = own(
    'place',
    'sight',
    'notices',
    'fieldErrors',
    'editing',
    'isLost',
    'isMenuOpen',
    'isPanelOpen',
    'theme',
  );
  declare place: Place;
  declare sight: Sight | undefined;
  declare notices: string[];
  declare fieldErrors: Record<string, string>;
  declare editing: string | undefined;
  declare isLost: boolean;
  declare isMenuOpen: boolean;
  declare isPanelOpen: boolean;
  declare theme: Theme;
  #stopFollowing = () => {};
  #closing: string | undefined;
  #warned: { person: string; count: number } | undefined;

  constructor() {
    super();
    this.place = readPlace(location.hash);
    this.notices = [];
    this.fieldErrors = {};
    this.isLost = false;
    this.isMenuOpen = false;
    this.isPanelOpen = false;
    this.theme = readTheme();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('hashchange', () => this.#arrive(readPlace(location.hash)));
    bindMenus(this);
    this.addEventListener('click', (event) => this.#followLink(event));
    // Wherever the focus is: behind a modal it may be nowhere.
    addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog:modal')) return;
      if (this.sight?.modal) void this.#close(this.sight.modal.id);
      else if (this.isMenuOpen) this.isMenuOpen = false;
      else if (this.place.thread) this.#go({ thread: undefined });
    });
    this.#arrive(this.place);
  }

  protected override createRenderRoot() {
    return this;
  }

  #go(to: Partial<Place>): void {
    location.hash = toHash({ ...this.place, ...to });
  }

  #arrive(place: Place): void {
    const before = this.sight && this.place;
    this.place = place;
    this.notices = [];
    this.editing = undefined;
    this.isMenuOpen = false;
    this.#stopFollowing();
    this.#stopFollowing = follow(
      place,
      (sight) => this.#see(sight),
      (isLost) => {
        this.isLost = isLost;
      },
    );
    if (before?.thread !== undefined && place.thread === undefined) this.#focus('.conversation textarea');
    const isNew = before?.person !== place.person || before.channel !== place.channel;
    if (isNew && place.channel === 'home') void this.#do('opensHome', {});
    if (isNew && this.sight?.app.dm === place.channel) void this.#do('opensMessages', {});
  }

  #see(sight: Sight): void {
    const count = this.#warned?.person === sight.me.id ? this.#warned.count : sight.warnings.length;
    const told = sight.warnings.slice(count).map(({ text }) => text);
    this.#warned = { person: sight.me.id, count: sight.warnings.length };
    if (told.length > 0) this.notices = [...this.notices, ...told];
    if (sight.modal?.id !== this.sight?.modal?.id) this.fieldErrors = {};
    this.sight = sight;
    this.#findPlace(sight);
  }

  /** Not everybody is in every conversation, and everybody has their own with the app. */
  #findPlace({ app, conversations }: Sight): void {
    const { channel } = this.place;
    if (channel === 'home' || conversations.some(({ id }) => id === channel)) return;
    const other = channel.startsWith('D') ? app.dm : (conversations[0]?.id ?? app.dm);
    location.replace(toHash({ ...this.place, channel: other, thread: undefined }));
  }

  /** Whether it was allowed; what was wrong is shown. */
  async #do<Result>(verb: string, given: object): Promise<Result | undefined> {
    try {
      this.notices = [];
      return await act<Result>(this.place.person, verb, given);
    } catch (error) {
      this.notices = [...this.notices, error instanceof Error ? error.message : String(error)];
      return undefined;
    }
  }

  /** Links lead to the pages of this simulation, as the person who is chosen here. */
  #followLink(event: MouseEvent): void {
    // Also where it stands in a component.
    const link = event.composedPath().find((one) => one instanceof HTMLAnchorElement && /^https?:/.test(one.href));
    if (!link) return;
    event.preventDefault();
    openLink(this.place.person, (link as HTMLAnchorElement).href);
  }

  #toDesk(sight: Sight): Desk {
    const timeZone = sight.people.find(({ id }) => id === sight.me.id)?.timeZone ?? 'UTC';
    const desk: Omit<Desk, 'context'> = {
      sight,
      timeZone,
      place: this.place,
      editing: this.editing,
      edit: (key) => this.#edit(key),
      focusComposer: (pane) => this.#focus(`.${pane} > message-composer textarea`),
      // Such a list begins at its end.
      scrollToEnd: (place) => this.querySelector(`[data-place="${place}"]`)?.scrollTo({ top: 0 }),
      go: (to) => this.#go(to),
      do: (verb, given) => this.#do(verb, given),
      tell: (sentence) => {
        this.notices = [sentence];
      },
    };
    const around = {
      ...desk,
      errors: this.fieldErrors,
      showErrors: (view: string, errors: Record<string, string>) => {
        // Somebody else may have been chosen meanwhile.
        if (this.sight?.modal?.id === view) this.fieldErrors = errors;
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
    const edited = this.editing;
    this.editing = key;
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
    const channel = this.sight?.conversations.find(({ id }) => id === this.place.channel);
    document.title = `${channel ? channel.name : this.place.channel === 'home' ? 'Home' : 'Workspace'} – ${this.sight?.names[this.place.person] ?? ''}`;
  }

  protected override render(): TemplateResult {
    const { sight } = this;
    if (!sight || sight.me.id !== this.place.person)
      return html`<p class="waiting" role="status">Opening the workspace …</p>`;
    const desk = this.#toDesk(sight);
    const openMenu = () => {
      this.isMenuOpen = !this.isMenuOpen;
    };
    const turnTheme = () => {
      this.theme = nextTheme(this.theme);
    };
    const open = { thread: this.place.thread, menu: this.isMenuOpen, panel: this.isPanelOpen };
    const having = Object.entries(open).map(([part, isOpen]) => (isOpen ? ` with-${part}` : ''));
    return html`<div class=${`frame${having.join('')}`}>
      ${renderSideBar(desk, { theme: this.theme, turnTheme, turnPanel: () => this.#turnPanel(), close: openMenu })}
      <main ?inert=${sight.modal !== undefined}>
        <h1 class="unseen">${sight.team}</h1>
        ${renderConversation(desk, { openMenu })}
        ${this.place.thread ? renderThread(desk, this.place.thread) : nothing}
      </main>
      ${this.isPanelOpen ? this.#renderPanel() : nothing}
      ${this.#renderNotices()}
      ${sight.modal ? this.#renderModal(desk, sight.modal) : nothing}
    </div>`;
  }

  #renderModal(desk: Desk, modal: ShownView): TemplateResult {
    return html`<slack-modal .view=${modal} .context=${desk.context(modal)}></slack-modal>`;
  }

  async #turnPanel(): Promise<void> {
    await import(PANEL);
    this.isPanelOpen = !this.isPanelOpen;
    this.isMenuOpen = false;
  }

  #renderPanel(): TemplateResult {
    return html`<aside class="panel" aria-label="Control panel"><header class="pane-head"><h2>Control panel</h2><span class="about"></span>
      <button type="button" class="quiet" aria-label="Close the control panel" @click=${this.#turnPanel}>${renderIcon('close')}</button></header>
      <control-panel></control-panel></aside>`;
  }

  #renderNotices(): TemplateResult {
    const dismiss = () => {
      this.notices = [];
    };
    const lost = this.isLost ? ['The simulation does not answer. Is it still running?'] : [];
    const texts = [...lost, ...this.notices];
    return html`<div class="notices" role="alert" popover="manual">${texts.map(
      (text) => html`<p class="notice">
      <span>${text}</span><button type="button" class="quiet" aria-label="Dismiss" @click=${dismiss}>${renderIcon('close')}</button></p>`,
    )}</div>`;
  }
}

customElements.define('work-space', WorkSpace);
