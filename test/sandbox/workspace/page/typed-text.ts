/** Between what people type and read (`@Ana Alvarez`) and what Slack keeps of it (`<@U0ANA>`). */
export type NamesById = Record<string, string>;

const BROADCASTS = ['here', 'channel', 'everyone'];

/** As the composer hands it over: mentions by id. */
export function toSent(typed: string, names: NamesById): string {
  const tokens = Object.entries(names)
    .filter(([id]) => /^[UWC]/.test(id))
    .map(([id, name]) =>
      id.startsWith('C') ? { word: `#${name}`, token: `<#${id}>` } : { word: `@${name}`, token: `<@${id}>` },
    )
    .concat(BROADCASTS.map((word) => ({ word: `@${word}`, token: `<!${word}>` })))
    // “@Ana Alvarez” before “@Ana”.
    .sort((a, b) => b.word.length - a.word.length);
  const byWord = new Map(tokens.map(({ word, token }) => [word.toLowerCase(), token]));
  const words = tokens.map(({ word }) => RegExp.escape(word)).join('|');
  return typed.replace(
    new RegExp(`(?<!\\w)(?:${words})(?!\\w)`, 'gi'),
    (word) => byWord.get(word.toLowerCase()) ?? word,
  );
}

/** As somebody had typed it, to be edited. */
export function toTyped(sent: string, names: NamesById): string {
  return sent
    .replace(
      /<([@#!])(\w+)(?:\|[^<>]*)?>/g,
      (_, mark: string, id: string) => `${mark === '#' ? '#' : '@'}${names[id] ?? id}`,
    )
    .replace(/<([a-z]+:[^<>|]+)(?:\|[^<>]*)?>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
