import type { Html } from '../../src/html.ts';

export function isMarkup(value: unknown): value is Html {
  return typeof value === 'object' && value !== null && 'markup' in value;
}

export type Leaf = { path: string; value: unknown };

/** All texts and functions of a language, with where they stand. */
export function listTexts(texts: object, path = ''): Leaf[] {
  return Object.entries(texts).flatMap(([name, value]): Leaf[] => {
    const at = path === '' ? name : `${path}.${name}`;
    const isLeaf = typeof value !== 'object' || isMarkup(value);
    return isLeaf ? [{ path: at, value }] : listTexts(value, at);
  });
}
