// <control-panel>: what crosses the wire, and buttons that make it go wrong. Its server side is ../panel/.
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { repeat } from 'lit/directives/repeat.js';
import type { PanelState } from '../panel/create-panel.ts';
import type { Bodies, Exchange } from '../panel/read-traffic.ts';
import { own } from './properties.ts';
import { request } from './sandbox-client.ts';

const POLL_MS = 1_000;

const PARTIES: Readonly<Record<Exchange['party'], string>> = {
  assistant: 'Assistant',
  identity: 'Identity',
  admin: 'Admin',
  slack: 'Slack',
};

class ControlPanel extends LitElement {
  static override properties = own('state', 'told', 'tab', 'shown', 'opened');

  declare state: PanelState | undefined;
  /** What the last press led to, or why there is nothing to show. */
  declare told: string;
  declare tab: 'Controls' | 'Requests';
  declare shown: Exchange['party'] | 'all';
  /** The bodies of the exchanges that are open, by their ids. */
  declare opened: ReadonlyMap<string, Bodies>;
  #timer: number | undefined;

  constructor() {
    super();
    this.told = '';
    this.tab = 'Controls';
    this.shown = 'all';
    this.opened = new Map();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#read();
    this.#timer = window.setInterval(() => document.hidden || void this.#read(), POLL_MS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.#timer);
  }

  /** Most polls bring nothing new. */
  protected override shouldUpdate(changed: PropertyValues<this>): boolean {
    const before = changed.get('state');
    return changed.size > 1 || !changed.has('state') || JSON.stringify(before) !== JSON.stringify(this.state);
  }

  /** What was pressed stays in sight when the line below it appears. */
  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('told'))
      this.renderRoot.querySelector('.shown li:focus-within')?.scrollIntoView({ block: 'nearest' });
  }

  async #read(): Promise<void> {
    try {
      const state = await request<PanelState>('/panel/state');
      // What was told of it is over.
      if (this.state && this.state.app?.state !== state.app?.state) this.told = '';
      this.state = state;
    } catch (error) {
      this.told = (error as Error).message;
    }
  }

  async #press(control: string): Promise<void> {
    const pressed = await request<{ told: string }>('/panel/press', { control }).catch((error: Error) => ({
      told: error.message,
    }));
    await this.#read();
    this.told = pressed.told;
  }

  async #toggle(id: string, isOpen: boolean): Promise<void> {
    const opened = new Map(this.opened);
    if (isOpen) opened.set(id, await request<Bodies>(`/panel/exchanges/${id}`).catch(() => NO_BODIES));
    else opened.delete(id);
    this.opened = opened;
  }

  override render(): TemplateResult {
    const { state } = this;
    if (!state) return html`<p role="status">${this.told || 'Loading …'}</p>`;
    return html`
      <header>
        ${state.app ? html`<span class="app ${state.app.state}">App ${state.app.state}${state.app.pid ? ` · process ${state.app.pid}` : ''}</span>` : nothing}
        <nav aria-label="Control panel">${this.#renderTab('Controls')}${this.#renderTab('Requests')}</nav>
      </header>
      ${keyed(this.tab, html`<div class="shown">${this.tab === 'Controls' ? this.#renderControls(state) : this.#renderRequests(state)}</div>`)}
      <p class="told" role="status">${this.told}</p>`;
  }

  #renderTab(tab: typeof this.tab): TemplateResult {
    const turn = () => {
      this.tab = tab;
    };
    return html`<button type="button" aria-current=${tab === this.tab ? 'page' : 'false'} @click=${turn}>${tab}</button>`;
  }

  #renderControls({ controls }: PanelState): TemplateResult {
    return html`${[...Map.groupBy(controls, ({ group }) => group)].map(
      ([group, ofGroup]) => html`<section aria-label=${group}>
          <h3>${group}</h3>
          <ul>${ofGroup.map((control) => this.#renderControl(control))}</ul>
        </section>`,
    )}`;
  }

  #renderRequests({ traffic }: PanelState): TemplateResult {
    return html`<section aria-label="Requests">
        <p class="filter"><label>Show <select .value=${this.shown} @change=${(event: Event) => this.#filter(event)}>
          <option value="all">everything</option>
          ${Object.entries(PARTIES).map(([party, name]) => html`<option value=${party}>${name}</option>`)}
        </select></label> The newest come first.</p>
        ${this.#renderTraffic(traffic)}
      </section>`;
  }

  #filter(event: Event): void {
    this.shown = (event.target as HTMLSelectElement).value as Exchange['party'] | 'all';
  }

  #renderControl({ id, label, hint, isOn, isDisabled }: PanelState['controls'][number]): TemplateResult {
    return html`<li>
      <button
        type="button"
        aria-describedby=${`about-${id}`}
        ?disabled=${isDisabled}
        aria-pressed=${isOn === undefined ? nothing : isOn}
        @click=${() => this.#press(id)}
      >${label}</button>
      <span id=${`about-${id}`}>${hint}</span>
    </li>`;
  }

  #renderTraffic(traffic: readonly Exchange[]): TemplateResult {
    const shown = traffic.filter(({ party }) => this.shown === 'all' || party === this.shown);
    if (shown.length === 0) return html`<p>Nothing yet.</p>`;
    return html`<ol>${repeat(
      shown,
      ({ id }) => id,
      (exchange) => this.#renderExchange(exchange),
    )}</ol>`;
  }

  #renderExchange({ id, party, from, at, method, path, status, ms }: Exchange): TemplateResult {
    const bodies = this.opened.get(id);
    const toggle = (event: Event) => this.#toggle(id, (event.target as HTMLDetailsElement).open);
    return html`<li><details ?open=${bodies !== undefined} @toggle=${toggle}>
      <summary>
        <time>${new Date(at).toLocaleTimeString('en-GB')}</time>
        <b class=${party}>${from === 'slack' ? 'Slack → app' : PARTIES[party]}</b>
        <code>${method} ${path}</code>
        <span class=${status !== undefined && status < 400 ? 'fine' : 'bad'}>${toOutcome(status, ms)}</span>
      </summary>
      ${bodies && html`${renderBody('Sent', bodies.request)}${renderBody('Answered', bodies.response)}`}
    </details></li>`;
  }

  static override styles = css`
    :host { display: flex; flex-direction: column; gap: .8rem; padding: 1rem; font: 14px/1.45 'Inter Variable', system-ui, sans-serif; color: var(--text, light-dark(#1f2328, #e6e6e6)); background: var(--surface, light-dark(#fff, #1b1d21)); }
    header { display: grid; gap: .5rem; justify-items: start; }
    .shown { flex: 1; min-height: 0; overflow-y: auto; }
    .shown > :first-child > h3 { margin-top: 0; }
    .filter { display: flex; flex-wrap: wrap; gap: .3rem .8rem; align-items: center; margin: 0; }
    nav { display: flex; gap: .3rem; }
    nav button { border-color: transparent; }
    nav button[aria-current='page'] { border-color: currentColor; font-weight: 600; }
    h3 { font-size: .8rem; margin: 1rem 0 .35rem; color: light-dark(#57606a, #a5abb3); }
    .app { padding: .1rem .6rem; border-radius: 1rem; background: light-dark(#fbe9d0, #4a3512); }
    .app.running { background: light-dark(#dcf3e3, #12402a); }
    .app.stopped { background: light-dark(#fbdcdc, #561d1d); }
    ul { list-style: none; display: grid; gap: .5rem; margin: 0; padding: 0; }
    ul li { display: grid; grid-template-columns: 10.5rem 1fr; gap: .7rem; align-items: center; }
    ul span { font-size: .86em; line-height: 1.35; color: light-dark(#57606a, #a5abb3); }
    button, select { font: inherit; color: inherit; padding: .3rem .7rem; border: 1px solid light-dark(#8b949e, #6b727b); border-radius: .4rem; background: transparent; cursor: pointer; }
    button:hover:enabled:not([aria-pressed='true']) { background: light-dark(#f0f2f5, #2a2e34); }
    button[aria-pressed='true'] { color: #fff; background: #7a3e00; border-color: #7a3e00; }
    button:disabled { opacity: .5; cursor: default; }
    :focus-visible { outline: 2px solid light-dark(#0b57d0, #8ab4f8); outline-offset: 1px; }
    .told { margin: 0; padding: .4rem .6rem; border-radius: .4rem; background: light-dark(#eef3f2, #24312f); }
    .told:empty { display: none; }
    ol { list-style: none; margin: .6rem 0 0; padding: 0; }
    ol li { border-top: 1px solid light-dark(#e3e6ea, #33373d); }
    summary { display: grid; grid-template-columns: auto 1fr auto; gap: .1rem .6rem; padding: .3rem 0; cursor: pointer; }
    time, .fine { color: light-dark(#57606a, #a5abb3); }
    .bad { color: light-dark(#a40e26, #ff9d97); font-weight: 600; }
    code { grid-column: 1 / -1; grid-row: 2; overflow-wrap: anywhere; font-size: .92em; }
    pre { margin: .2rem 0 .7rem; padding: .6rem; max-height: 22rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; border-radius: .4rem; background: light-dark(#f5f6f8, #24272c); }
  `;
}

customElements.define('control-panel', ControlPanel);

const NO_BODIES: Bodies = { request: 'This exchange is not kept any more.', response: undefined };

function renderBody(label: string, body: unknown): TemplateResult | typeof nothing {
  if (body === undefined || body === null || body === '') return nothing;
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  return html`<h3>${label}</h3><pre tabindex="0" aria-label=${label}>${text}</pre>`;
}

function toOutcome(status: number | undefined, ms: number | undefined): string {
  if (ms === undefined && status === undefined) return 'open';
  return `${status ?? 'cut'} · ${ms === undefined ? '?' : Math.round(ms)} ms`;
}
