import { describe, expect, it } from 'vitest';
import { isHelpWord, readAcceptLanguage, toLanguage } from '../../src/languages/language.ts';

describe('the language that a browser wants', () => {
  it.each([
    ['de-DE,de;q=0.9,en;q=0.8', 'de'],
    ['en-GB,en;q=0.9,de;q=0.8', 'en'],
    ['fr-FR,fr;q=0.9,de;q=0.5,en;q=0.4', 'de'],
    ['en;q=0.2, de-AT;q=0.9', 'de'],
    ['de;q=0, en', 'en'],
    ['DE', 'de'],
    ['fr, *;q=0.5', undefined],
    ['de;q=nonsense', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('by %j is %s', (header, language) => {
    expect(readAcceptLanguage(header)).toBe(language);
  });
});

describe('the language of a locale', () => {
  it.each([
    ['de-DE', 'de'],
    ['en-GB', 'en'],
    ['den-CA', undefined],
    [42, undefined],
  ])('%j is %s', (locale, language) => {
    expect(toLanguage(locale)).toBe(language);
  });
});

describe('a question for help', () => {
  it.each(['help', 'Hilfe', ' HELP '])('is %j', (text) => {
    expect(isHelpWord(text)).toBe(true);
  });

  it.each(['help me', 'hilfreich', ''])('is not %j', (text) => {
    expect(isHelpWord(text)).toBe(false);
  });
});
