import { isMarkup } from './walk-texts.ts';

/**
 * A language of its own: every text twice, so that it is longer than any real language. Values in a text do not grow with
 * the language, so its second half has short ones.
 */
export function doubleTexts<T>(texts: T): T {
  return join(texts, texts);
}

function join<T>(one: T, other: T): T {
  if (typeof one === 'string') return `${one} ${other}` as T;
  if (isMarkup(one) && isMarkup(other)) return { markup: `${one.markup} ${other.markup}` } as T;
  if (typeof one === 'function' && typeof other === 'function') {
    return ((...values: unknown[]) => join(one(...values), other(...values.map(toShort)))) as T;
  }
  if (Array.isArray(one) && Array.isArray(other)) return one.map((text, index) => join(text, other[index])) as T;
  const others = other as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(one as object).map(([name, value]) => [
      name,
      name === 'language' ? value : join(value, others[name]),
    ]),
  ) as T;
}

function toShort(value: unknown): unknown {
  return typeof value === 'string' ? '…' : value;
}
