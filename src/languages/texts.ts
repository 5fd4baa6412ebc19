import { english, type Texts } from './english.ts';
import { german } from './german.ts';
import type { Language } from './language.ts';

const TEXTS: Record<Language, Texts> = { en: english, de: german };

/** Undefined: nobody has looked yet what they read. */
export function textsOf(language: Language | undefined): Texts {
  return TEXTS[language ?? 'en'];
}
