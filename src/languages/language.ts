/** What people who ask can read us in. */
export const LANGUAGES = ['en', 'de'] as const;

export type Language = (typeof LANGUAGES)[number];

/** The language of a Slack locale such as `de-DE`; undefined: we do not speak it. */
export function toLanguage(locale: unknown): Language | undefined {
  const code = typeof locale === 'string' ? locale.split('-')[0]?.toLowerCase() : undefined;
  return LANGUAGES.find((language) => language === code);
}

/**
 * The language that a browser likes best among ours, by its Accept-Language header; undefined: none of them. See RFC 9110,
 * section 12.5.4.
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

/** A question of this word alone asks what the assistant can do, in any language, whatever the asker's is. */
export function isHelpWord(text: string): boolean {
  return ['help', 'hilfe'].includes(text.trim().toLowerCase());
}
