/** `typed`: as it was typed; `rest`: without the quotes around all of it. */
export type AdminCommand = { word: string; rest: string; typed: string };

/** The first word in lower case, and what follows it: the name of an agent, perhaps in quotes. */
export function parseAdminCommand(text: string): AdminCommand {
  const [word = '', ...rest] = decode(text).trim().split(/\s+/);
  const typed = rest.join(' ');
  return { word: word.toLowerCase(), rest: stripQuotes(typed), typed };
}

/**
 * Slack escapes what is typed after a command, and puts what looks like an address or a person into brackets:
 * https://docs.slack.dev/interactivity/implementing-slash-commands. A name that holds such a thing is meant as typed.
 */
function decode(text: string): string {
  return text
    .replace(/<([@#]?)([^<>|]*)(?:\|([^<>]*))?>/g, (_, sign: string, target: string, label?: string) => {
      return `${sign}${label || target}`;
    })
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** As keyboards make them; a quote alone, or a pair of them, is no name. */
const QUOTED = [/^["“”„«](.*)["“”»]$/, /^['‘‚](.*)['’‘]$/, /^`(.*)`$/, /^["“”„«»'‘’‚`]()$/];

/** Around the whole name only. Part of a name finds it, with or without. */
function stripQuotes(text: string): string {
  for (const quoted of QUOTED) {
    const inner = quoted.exec(text)?.[1];
    if (inner !== undefined) return inner.trim();
  }
  return text;
}
