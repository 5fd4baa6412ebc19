/** What the components of the page have in common, and how they declare their properties to Lit. */
import { LitElement } from 'lit';

/** Draws itself into the page, and so has its styles. */
export class PageElement extends LitElement {
  protected override createRenderRoot() {
    return this;
  }
}

/** Those that are set from outside. */
export function given(...names: string[]): Record<string, { attribute: false }> {
  return Object.fromEntries(names.map((name) => [name, { attribute: false as const }]));
}

/** Those of the component's own. */
export function own(...names: string[]): Record<string, { state: true }> {
  return Object.fromEntries(names.map((name) => [name, { state: true as const }]));
}
