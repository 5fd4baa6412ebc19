import { english, type Texts } from './english.ts';
import { german } from './german.ts';
import type { Language } from './language.ts';

const TEXTS: Record<Language, Texts> = { en: english, de: german };

/** Undefined if the asker's language has not been looked up yet. */
export function textsOf(language: Language | undefined): Texts {
  return TEXTS[language ?? 'en'];
}
