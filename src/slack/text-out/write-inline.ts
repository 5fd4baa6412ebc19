import { type MarkdownNode, toWords } from './markdown-tree.ts';
import { countCharacters, SMALL_BUDGET } from './message-budget.ts';
import { escapeEntities, escapeProse, JOINER, quieten } from './neutralise.ts';
import { type SafeUrl, toHostSuffix, toSafeUrl } from './safe-url.ts';

/** A part of a line, ready for Slack. `isWhole`: it is code or a link, and must not be cut. */
export type Span = { text: string; isWhole: boolean };

export type Line = Span[];

/** How prose and code are escaped. Links have addresses only in a `text`: a label contains no other link. */
export type InlineForm = {
  place: 'text' | 'label' | 'stream';
  toProse(prose: string): string;
  toCode(code: string): string;
};

const TEXT: InlineForm = { place: 'text', toProse: escapeProse, toCode: escapeEntities };

/** Longer code within a line could not be kept whole where a long answer is split. */
const LONGEST_CODE = 1_000;

/** As Slack counts it. A longer link would be cut, and its host would be shown only in the next message. */
const LONGEST_LINK = SMALL_BUDGET.characters - 1_000;

/**
 * Writes the lines of a paragraph, a heading or a cell. Emphasis keeps its notation. Links are written anew, each with its
 * host, and only to http(s). Images become links. The rest is prose, escaped when a line or a whole span ends it.
 */
export function writeInline(nodes: readonly MarkdownNode[], form = TEXT): Line[] {
  const { place, toProse, toCode } = form;
  const lines: Line[] = [[]];
  let prose = '';
  /** The host that was just written after a link. If the text repeats it there, it is left out. */
  let shownHost = '';

  function endProse(): void {
    const line = lines.at(-1);
    // With `@` right after it, the host after a link would look like the user name of an address.
    const text = line?.at(-1)?.isWhole && /^\S*@/.test(prose) ? ` ${prose}` : prose;
    if (text !== '') line?.push({ text: toProse(text), isWhole: false });
    prose = '';
  }

  function endLine(): void {
    endProse();
    lines.push([]);
  }

  function writeWhole(text: string): void {
    // An address would continue into this text, and `!` before a link makes an image.
    const before = lines.at(-1)?.at(-1)?.text ?? '';
    if (endsWithAddress(prose.includes(' ') ? prose : before + prose)) prose += ' ';
    if (prose.endsWith('!') && text.startsWith('[')) prose += JOINER;
    endProse();
    lines.at(-1)?.push({ text, isWhole: true });
  }

  function writeAll(children: readonly MarkdownNode[]): void {
    for (const node of children) {
      const host = shownHost;
      shownHost = '';
      writeNode(node, host);
    }
  }

  function writeNode({ token, children }: MarkdownNode, host: string): void {
    switch (token.type) {
      case 'text':
        writeText(token.content, host);
        break;
      case 'text_special':
        prose += toSign(token.content, lines.at(-1)?.length === 0 ? prose : undefined);
        break;
      case 'softbreak':
      case 'hardbreak':
        prose += token.type === 'hardbreak' ? '  ' : '';
        if (place === 'label') prose += ' ';
        else endLine();
        break;
      case 'code_inline':
        writeCode(token.content);
        break;
      case 'link_open':
        writeLink(children, String(token.attrGet('href')), token.markup === 'autolink');
        break;
      case 'image':
        writeImage(toWords(children), String(token.attrGet('src')));
        break;
      default:
        prose += token.markup;
        writeAll(children);
        prose += token.markup;
    }
  }

  /** Replaces `<br>`, which services write in table cells, and escapes brackets, which could end a label. */
  function writeText(content: string, host: string): void {
    const rest = host !== '' && content.startsWith(host) ? content.slice(host.length) : content;
    const text = rest.includes('<') ? rest.replace(/<br\s*\/?>/gi, ' ') : rest;
    // Inside a list item, some parsers would take it for the underline of a heading.
    if (prose === '' && lines.at(-1)?.length === 0 && /^=+$/.test(text)) prose += '\\';
    prose += place === 'label' ? text.replace(/[[\]]/g, '\\$&') : text;
  }

  function writeCode(code: string): void {
    if (code.length > LONGEST_CODE || code.trim() === '') prose += code;
    else writeWhole(`\`${toCode(quieten(code))}\``);
  }

  function writeLink(label: readonly MarkdownNode[], address: string, isAutolink: boolean): void {
    const url = toSafeUrl(address);
    const words = toWords(label);
    if (!url) return writeUnlinked(label, address, isAutolink);
    if (place !== 'text') {
      writeAll(label);
      prose += writeHost(words, url);
      return;
    }
    const shown = isAutolink ? url.href : words.trim() || url.host;
    const isOurs = shown !== words.trim();
    const written = isOurs
      ? toProse(toPlain(shown))
      : joinSpans(writeInline(label, { ...form, place: 'label' }).flat());
    writeAddress(written, url, shown);
  }

  function writeUnlinked(label: readonly MarkdownNode[], address: string, isAutolink: boolean): void {
    const words = toWords(label);
    const isMail = /^mailto:/i.test(address);
    if (isAutolink) {
      prose += isMail ? words : `<${words.replace(':', `:${JOINER}`)}>`;
      return;
    }
    writeAll(label);
    if (isMail) prose += toMailSuffix(address, words);
  }

  function writeImage(alt: string, address: string): void {
    const url = toSafeUrl(address);
    const words = alt.replace(/\s+/g, ' ').trim() || 'image';
    const label = toPlain(words);
    if (url && place === 'text') writeAddress(toProse(label), url, words);
    else prose += label;
  }

  function writeAddress(label: string, url: SafeUrl, words: string): void {
    const link = `[${label}](${url.href})${writeHost(words, url)}`;
    if (countCharacters(link) > LONGEST_LINK) prose += `${words} (${url.host})`;
    else writeWhole(link);
  }

  function writeHost(words: string, url: SafeUrl): string {
    shownHost = place === 'label' ? '' : toHostSuffix(words, url);
    return shownHost;
  }

  writeAll(nodes);
  endProse();
  return lines;
}

/** The inline content of a block. */
export function readInline(children: readonly MarkdownNode[]): readonly MarkdownNode[] {
  return children[0]?.children ?? [];
}

export function joinSpans(line: Line): string {
  let joined = '';
  for (const { text } of line) joined += text;
  return joined;
}

/** Writes an escaped character or an entity. `before`: the text before it in its line; undefined after a link or code. */
function toSign(sign: string, before: string | undefined): string {
  if (/^[\\*_~[\]]$/.test(sign)) return `\\${sign}`;
  const isMarker = /^[#+=-]$/.test(sign) ? before === '' : /^[.)]$/.test(sign) && /^\d{1,9}$/.test(before ?? '');
  return isMarker ? `\\${sign}` : sign.replace(/[\t-\r]/g, ' ');
}

/** Escapes Markdown. */
function toPlain(words: string): string {
  return words.replace(/[\\*_~[\]]/g, '\\$&');
}

function endsWithAddress(prose: string): boolean {
  const word = prose.slice(prose.lastIndexOf(' ') + 1);
  return /:\/\/|www\./i.test(word);
}

function toMailSuffix(address: string, words: string): string {
  const mail = /^mailto:([^\s?<>()[\]@`]+@[^\s?<>()[\]@`]+)/i.exec(address)?.[1];
  return mail === undefined || mail === words ? '' : ` (${mail})`;
}
