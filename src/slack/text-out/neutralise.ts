// The service's text is untrusted. Slack reads mentions and links in angle brackets inside `markdown` blocks too, and
// does not decode entities twice, so escaping `<` and `>` disables all of them
// (https://docs.slack.dev/messaging/formatting-message-text#escaping).

// Word joiner: invisible, no line break, and not allowed in any of these notations.
export const JOINER = '\u2060';

/** Without the marks that would show the text after them, such as the host of a link, from right to left. */
export function dropOverrides(text: string): string {
  return text.replace(/[\u202A-\u202E]/g, '');
}

/** Slack's three control characters: https://docs.slack.dev/messaging/formatting-message-text#escaping */
export function escapeMrkdwn(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** `&amp;` comes last, so that `&amp;lt;` becomes the four characters `&lt;`. */
export function unescapeMrkdwn(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** The same for a `markdown` block, where `&` means itself unless it begins an entity. Enough for code. */
export function escapeEntities(text: string): string {
  return text
    .replace(/&(?=#?\w{1,32};)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** Prose for a `markdown` block: nothing in it is code, a link or a mention. */
export function escapeProse(prose: string): string {
  if (!ACTIVE.test(prose)) return prose;
  return escapeEntities(neutralise(dropOverrides(quieten(prose))));
}

/** Most prose has none of this, and all the patterns below would cost as much as the parser. */
const ACTIVE = /[`~&<>@\u202A-\u202E]|:\/\/|\][(:]|!\[/;

/**
 * Without signs for code: if Slack read one that the parser did not, it would read code as text from there on. A grave
 * accent looks the same; whether Slack takes such a sign escaped is not documented.
 */
export function quieten(text: string): string {
  return text.replaceAll('`', GRAVE_ACCENT).replace(/~{3,}/g, (run) => [...run].join(JOINER));
}

const GRAVE_ACCENT = '\u02CB';

/**
 * Breaks up what could still become a link or a mention that is not ours. Do not apply it to code, or to links that we
 * wrote. Slack reads a plain `@channel` as a mention only in messages sent with `link_names`, which we never set; this is
 * safe even if a later Slack client or another caller does.
 */
export function neutralise(prose: string): string {
  return breakUserNames(
    prose
      .replace(/\](?=[(:])|!(?=\[)/g, `$&${JOINER}`)
      .replace(/(?<![\p{L}\p{N}])@(?=(?:here|channel|everyone|group)(?![\p{L}\p{N}]))/giu, `@${JOINER}`)
      .replace(/(?<!(?<![a-z\d])https?):\/\//gi, `:${JOINER}//`),
  );
}

// Each range between the marks that end a host is read once: searching for an `@` from the start of each address would
// take quadratic time. The `#` of an entity ends no host.
const AUTHORITY = /(?::\/\/)?(?:[^ \t\r\n/?#:]|:(?!\/\/)|(?<=&)#)+/g;

/** An address that carries a user name looks like another host. */
function breakUserNames(text: string): string {
  if (!text.includes('@')) return text;
  return text.replace(AUTHORITY, (authority) => {
    const at = authority.lastIndexOf('@');
    if (at < 0) return authority;
    return breakAddresses(authority.slice(0, at)) + authority.slice(at);
  });
}

/** So that no address in it becomes a link. */
export function breakAddresses(text: string): string {
  return text.replaceAll('://', `:${JOINER}//`).replace(/\bwww\./gi, `www${JOINER}.`);
}
