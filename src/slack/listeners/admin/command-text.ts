export type AdminCommand = { word: string; rest: string };

/** The first word in lower case, and what follows as it was typed: the name of an agent, perhaps in quotes. */
export function parseAdminCommand(text: string): AdminCommand {
  const [word = '', ...rest] = decode(text).trim().split(/\s+/);
  return { word: word.toLowerCase(), rest: stripQuotes(rest.join(' ')) };
}

/**
 * Slack escapes what is typed after a command, and puts what looks like an address or a person into brackets:
 * https://docs.slack.dev/interactivity/implementing-slash-commands. A name that holds such a thing is meant as typed.
 */
function decode(text: string): string {
  return text
    .replace(/<([^<>|]*)(?:\|([^<>]*))?>/g, (_, target: string, label?: string) => label || target)
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** Around the whole name only; keyboards make curly ones of straight ones. Part of a name finds it, with or without. */
function stripQuotes(text: string): string {
  return /^["“„«`](.+)["”“»`]$/.exec(text)?.[1] ?? text;
}
