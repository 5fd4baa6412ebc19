// The service's text is untrusted. Slack reads mentions and links in angle brackets inside `markdown` blocks too, and
// does not decode entities twice, so escaping `<` and `>` disables all of them
// (https://docs.slack.dev/messaging/formatting-message-text#escaping).

// Word joiner: invisible, no line break, and not allowed in any of these notations.
export const JOINER = '\u2060';

/** Removes the characters that make the text after them, such as the host of a link, run from right to left. */
export function dropOverrides(text: string): string {
  return text.replace(/[\u202A-\u202E]/g, '');
}

/** Escapes Slack's three control characters: https://docs.slack.dev/messaging/formatting-message-text#escaping */
export function escapeMrkdwn(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** `&amp;` comes last, so that `&amp;lt;` becomes the four characters `&lt;`. */
export function unescapeMrkdwn(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** As escapeMrkdwn, for a `markdown` block, where `&` is literal unless it begins an entity. Enough for code. */
export function escapeEntities(text: string): string {
  return text
    .replace(/&(?=#?\w{1,32};)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** Escapes prose for a `markdown` block, so that nothing in it is code, a link or a mention. */
export function escapeProse(prose: string): string {
  if (!ACTIVE.test(prose)) return prose;
  return escapeEntities(neutralise(dropOverrides(quieten(prose))));
}

/** Most prose has none of these. Trying all the patterns below would cost as much as parsing. */
const ACTIVE = /[`~&<>@\u202A-\u202E]|:\/\/|\][(:]|!\[/;

/**
 * Replaces code marks: if Slack took one for code that our parser did not, it would read code as text from there on. A
 * grave accent looks like a backtick. Whether Slack accepts an escaped backtick is not documented.
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

// Text between characters that end a host. It is read once: searching for an `@` from the start of each address would take
// quadratic time. The `#` of an entity does not end a host.
const AUTHORITY = /(?::\/\/)?(?:[^ \t\r\n/?#:]|:(?!\/\/)|(?<=&)#)+/g;

/** Breaks addresses with a user name, which looks like a host. */
function breakUserNames(text: string): string {
  if (!text.includes('@')) return text;
  return text.replace(AUTHORITY, (authority) => {
    const at = authority.lastIndexOf('@');
    if (at < 0) return authority;
    return breakAddresses(authority.slice(0, at)) + authority.slice(at);
  });
}

/** Keeps addresses from becoming links. */
export function breakAddresses(text: string): string {
  return text.replaceAll('://', `:${JOINER}//`).replace(/\bwww\./gi, `www${JOINER}.`);
}
