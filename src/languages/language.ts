/** The languages of the texts for people who ask. */
export const LANGUAGES = ['en', 'de'] as const;

export type Language = (typeof LANGUAGES)[number];

/** The language of a Slack locale such as `de-DE`; undefined if the app does not have it. */
export function toLanguage(locale: unknown): Language | undefined {
  const code = typeof locale === 'string' ? locale.split('-')[0]?.toLowerCase() : undefined;
  return LANGUAGES.find((language) => language === code);
}

/**
 * The language that a browser prefers among ours, by its Accept-Language header; undefined if it accepts none. See RFC
 * 9110, section 12.5.4.
 */
export function readAcceptLanguage(header: string | undefined): Language | undefined {
  const wishes = (header ?? '').split(',').map((wish) => {
    const [tag = '', ...parameters] = wish.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2);
    return { language: toLanguage(tag), weight: weight === undefined ? 1 : Number(weight) };
  });
  const liked = wishes.filter(({ weight }) => weight > 0).toSorted((one, other) => other.weight - one.weight);
  return liked.find(({ language }) => language !== undefined)?.language;
}

/** Whether a question is just the word for help, in any of the languages. */
export function isHelpWord(text: string): boolean {
  return ['help', 'hilfe'].includes(text.trim().toLowerCase());
}
