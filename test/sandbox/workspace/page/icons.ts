/** Signs that look the same whatever typefaces a machine has. */
import { html, type SVGTemplateResult, svg, type TemplateResult } from 'lit';

const SHAPES = {
  hash: svg`<path d="M6 2 4.5 14M11.5 2 10 14M2 5.5h12M2 10.5h12"/>`,
  lock: svg`<rect x="3" y="7" width="10" height="7" rx="1.5"/><path d="M5 7V5a3 3 0 0 1 6 0v2"/>`,
  spark: svg`<path d="M8 1.5 9.6 6.4 14.5 8 9.6 9.6 8 14.5 6.4 9.6 1.5 8 6.4 6.4z"/>`,
  group: svg`<circle cx="5.5" cy="5.5" r="2.5"/><path d="M1.5 13.5c0-3 1.5-4.5 4-4.5s4 1.5 4 4.5M10.5 3.3a2.4 2.4 0 0 1 0 4.6M11.5 9.4c2 .3 3 1.7 3 4.1"/>`,
  reply: svg`<path d="M6.5 3 2 7.5l4.5 4.5M2 7.5h7a5 5 0 0 1 5 5"/>`,
  more: svg`<path d="M3 8h.01M8 8h.01M13 8h.01" stroke-width="2.6"/>`,
  close: svg`<path d="m3.5 3.5 9 9M12.5 3.5l-9 9"/>`,
  menu: svg`<path d="M2 4h12M2 8h12M2 12h12"/>`,
  plus: svg`<path d="M8 2.5v11M2.5 8h11"/>`,
  at: svg`<circle cx="8" cy="8" r="2.6"/><path d="M10.6 5.5v3.3c0 2.7 3.4 2.2 3.4-.8a6 6 0 1 0-2.7 5"/>`,
  file: svg`<path d="M4 1.5h5.5L13 5v9.5H4zM9 1.5V5.5h4"/>`,
} satisfies Record<string, SVGTemplateResult>;

export type IconName = keyof typeof SHAPES;

/** Nothing that a screen reader reads: what it stands on has words. */
export function renderIcon(name: IconName): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">${SHAPES[name]}</svg>`;
}
