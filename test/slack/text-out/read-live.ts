// A reader of its own of what Slack may make live in a text. It shares nothing with the app and uses no parser, so it does
// not err where these do. In doubt it takes something as live: whatever it finds has to be explained.

/** What is live in the text of a `markdown` block and must not be; nothing where all is well. */
export function findLiveInMarkdown(markdown: string): string[] {
  const found = findControls(markdown);
  const text = maskCode(markdown);
  const decoded = text.includes('&') ? decodeCharacters(text) : text;
  for (const [pattern, what] of NEVER) if (pattern.test(text)) found.push(what);
  for (const [pattern, what] of NEVER_DECODED) if (pattern.test(decoded)) found.push(what);
  if (text.includes('](')) found.push(...findForgedLinks(text, markdown));
  // An address within that of a link leads where the link leads, which is looked at above. Encoded brackets make no link.
  if (decoded.includes('@')) {
    found.push(...findDisguises(decodeCharacters(text.replace(/\]\(https?:\/\/[^\s()]*\)/g, ']()'))));
  }
  return found;
}

/**
 * The same for mrkdwn, in which only our own links `<https://…|label>` and the given mentions may be live. `isVerbatim`:
 * Slack looks for nothing else in it.
 */
export function findLiveInMrkdwn(
  mrkdwn: string,
  { mentions = [], isVerbatim = false }: { mentions?: readonly string[]; isVerbatim?: boolean } = {},
): string[] {
  const found = OVERRIDE.test(mrkdwn) ? ['direction override'] : [];
  const rest = mrkdwn.replace(/<([^<>]*)>/g, (written, inside: string) => {
    if (mentions.includes(written)) return '';
    const [address = '', label = ''] = inside.split(/\|(.*)/s);
    if (!isPlainAddress(address)) found.push(`live: ${written}`);
    else if (isForged(decode(label), new URL(decode(address)))) found.push(`forged: ${written}`);
    return '';
  });
  if (rest.includes('<')) found.push('angle bracket');
  if (isVerbatim) return found;
  if (WHOLE_GROUP.test(rest)) found.push('mention of a group');
  return [...found, ...(rest.includes('@') ? findDisguises(rest) : [])];
}

const OVERRIDE = /[\u202a-\u202e]/;

/** A reader that decodes characters would show the rest of the line from right to left. */
const ENCODED_OVERRIDE = /&#(?:0*823[4-8]|x0*202[a-e]);/i;

const WHOLE_GROUP = /(?<![\p{L}\p{N}])@(?:here|channel|everyone|group)(?![\p{L}\p{N}])/iu;

const NEVER: [RegExp, string][] = [
  [/\]:/, 'definition of a link'],
  [/&#(?:0*60|x0*3c);/i, 'encoded bracket'],
  [ENCODED_OVERRIDE, 'encoded direction override'],
];

const NEVER_DECODED: [RegExp, string][] = [
  [WHOLE_GROUP, 'mention of a group'],
  [/(?<!https?)(?<!https?:\/\/\S*):\/\//i, 'address of another scheme'],
];

/** Once, as a reader of Markdown does in text: what comes of it is not read as notation. */
function decodeCharacters(text: string): string {
  const named = text.replaceAll('&colon;', ':').replaceAll('&commat;', '@').replaceAll('&sol;', '/');
  return named.replace(/&#(?:(\d{1,7})|x([0-9a-f]{1,6}));/gi, (written, decimal, hex) => {
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0x20 && code < 0x7f ? String.fromCharCode(code) : written;
  });
}

function findControls(markdown: string): string[] {
  const found = markdown.includes('<') ? ['angle bracket'] : [];
  if (OVERRIDE.test(markdown)) found.push('direction override');
  return found;
}

const BEFORE_FENCE = '(?:[ \\t>]|[-*+][ \\t]|\\d{1,9}[.)][ \\t])*';
const OPENING = new RegExp(`^${BEFORE_FENCE}(\`{3,})[^\`]*$`);
const CLOSING = /^[ \t>]*(`{3,})[ \t\r]*$/;

/** Stands for a character of code: one that no text has, because it is for private use. */
const CODE = '\uf8ff';

/** The text, equally long, without what every reader takes as code: fences of backticks, and backticks within a line. */
function maskCode(markdown: string): string {
  if (!markdown.includes('`')) return markdown;
  let fence = '';
  const lines = markdown.split('\n').map((line) => {
    const opening = fence === '' ? (OPENING.exec(line)?.[1] ?? '') : '';
    if (opening !== '') {
      fence = opening;
      return CODE.repeat(line.length);
    }
    if (fence !== '') {
      if (CLOSING.exec(line)?.[1]?.startsWith(fence)) fence = '';
      return CODE.repeat(line.length);
    }
    return line.replace(/`[^`]+`/g, (code) => CODE.repeat(code.length));
  });
  return lines.join('\n');
}

/** Invisible: it does not change what people read. */
const JOINER = '\u2060';

const LONGEST_HOST = 255;

function findForgedLinks(text: string, markdown: string): string[] {
  const found: string[] = [];
  for (let end = text.indexOf(']('); end >= 0; end = text.indexOf('](', end + 1)) {
    const start = findOpening(text, end);
    const close = text.indexOf(')', end);
    // Without both no reader takes it as a link.
    if (start === undefined || close < 0) continue;
    if (text[start - 1] === '!') found.push('image');
    const address = text.slice(end + 2, close);
    const label = decode(markdown.slice(start + 1, end).replace(/\\([!-/:-@[-`{-~])/g, '$1'));
    if (!isPlainAddress(address)) found.push(`link to ${address.slice(0, 80)}`);
    else {
      const { host } = new URL(decode(address));
      const after = text.slice(close + 1, close + 2 * LONGEST_HOST).replaceAll(JOINER, '');
      const isNamed = after.startsWith(` (${host})`) || isHostOf(label, host);
      if (!isNamed) found.push(`link to ${host} as ${label.slice(0, 80)}`);
    }
  }
  return found;
}

/** Where the label begins that ends here; brackets in it are in pairs or escaped. */
function findOpening(text: string, end: number): number | undefined {
  let depth = 0;
  for (let at = end - 1; at >= 0; at -= 1) {
    if ((text[at] !== '[' && text[at] !== ']') || isEscaped(text, at)) continue;
    if (text[at] === ']') depth += 1;
    else if (depth === 0) return at;
    else depth -= 1;
  }
  return undefined;
}

function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text[before - 1] === '\\') before -= 1;
  return (at - before) % 2 === 1;
}

/** http or https without a name before the host, and without what could end it early. */
function isPlainAddress(address: string): boolean {
  if (!/^https?:\/\/[^\s<>()[\]|`\\]+$/.test(address) || !URL.canParse(decode(address))) return false;
  const { username, password, host } = new URL(decode(address));
  return username === '' && password === '' && host !== '';
}

/** Whether the label is an address on this host. */
function isHostOf(label: string, host: string): boolean {
  // An encoded space before or after the address shows nothing else.
  const shown = label
    .replace(/`|\\\n|\u2060|\\(?=:)/g, '')
    .replace(/^(?:&(?:nbsp|NewLine|Tab);|\s)+|(?:&(?:nbsp|NewLine|Tab);|\s)+$/g, '')
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '');
  return shown.startsWith(host) && /^(?:[/?#]|$)/.test(shown.slice(host.length)) && !/[\s\\]/.test(shown);
}

/** Whether a label looks like an address of another host than it leads to. */
function isForged(label: string, url: URL): boolean {
  const shown = /^(?:https?:\/\/)?((?:[\w-]+\.)+[a-z]{2,})(?=[/?#:]|$)/i.exec(label.trim())?.[1]?.toLowerCase();
  return shown !== undefined && shown !== url.hostname && !label.includes(`(${url.host})`);
}

/** Bare addresses whose host is only a user name. */
function findDisguises(text: string): string[] {
  const found: string[] = [];
  for (const [address] of text.matchAll(/(?:https?:\/\/|\bwww\.)[^\s/?#<]*@[^\s]*/gi))
    found.push(`disguised: ${address}`);
  return found;
}

function decode(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
