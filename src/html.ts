/** Safe markup. Only the `html` tag adds text, and escapes it. */
export type Html = { readonly markup: string };

/** Builds markup. Escapes every text, for contents and for quoted attributes. */
export function html(literals: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
  const parts = literals.map((literal, index) => (index === 0 ? '' : toMarkup(values[index - 1] ?? '')) + literal);
  return { markup: parts.join('') };
}

function toMarkup(value: string | Html | readonly Html[]): string {
  if (typeof value === 'string') return escapeText(value);
  return [value].flat().reduce((markup, part) => markup + part.markup, '');
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
