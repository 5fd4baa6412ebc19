/** How the components of the page declare their properties to Lit. */

/** Those that are set from outside. */
export function given(...names: string[]): Record<string, { attribute: false }> {
  return Object.fromEntries(names.map((name) => [name, { attribute: false as const }]));
}

/** Those of the component's own. */
export function own(...names: string[]): Record<string, { state: true }> {
  return Object.fromEntries(names.map((name) => [name, { state: true as const }]));
}
