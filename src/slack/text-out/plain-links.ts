import { escapeAngles, NO_WORD, toLastWord } from './neutralise.ts';
import type { Piece } from './piece.ts';
import { toHostSuffix, toSafeUrl } from './safe-url.ts';

/** A label and an address in which nothing could mean anything else. */
const PLAIN_LINK =
  /\[((?!\^)[^\s[\]|*_~](?:[^\r\n\t[\]|*_~]*[^\s[\]|*_~])?)\]\((https?:\/\/[^\s\p{Cc}()<>[\]|;`\\]+)\)/giu;

/** Anything that is or may be other syntax that matters, in the text around the links and in their labels. */
const ELSE = new RegExp(
  [
    '[`<\\\\@\\t\\r\\0]',
    '~~~',
    '&#?\\w+;',
    '!\\[',
    '\\](?=[(:])',
    '://',
    'www\\.',
    // Indented far enough to be code, also inside of lists and quotes.
    '^(?:[ >]|[-*+] |\\d{1,9}[.)] )* {4}',
  ].join('|'),
  'im',
);

/**
 * Text whose only syntax that matters is links, as the parser would read it, at about a fiftieth of its cost: most
 * answers that link at all are like this. Undefined where the text needs the parser.
 */
export function readPlainLinks(source: string): Piece[] | undefined {
  if (ELSE.test(source.replace(PLAIN_LINK, '[$1]'))) return undefined;
  const pieces: Piece[] = [];
  let from = 0;
  let suffix = '';
  for (const match of source.matchAll(PLAIN_LINK)) {
    const [written, label = '', address = ''] = match;
    const url = toSafeUrl(address);
    if (url === undefined || toLastWord(NO_WORD, suffix + source.slice(from, match.index)).isAddress) return undefined;
    const end = match.index + written.length;
    suffix = toHostSuffix(label, url, source.slice(end));
    pieces.push(
      toProse(source, from, match.index),
      { kind: 'prose', text: `[${escapeAngles(label, false)}]` },
      { kind: 'final', text: `(${url.href})` },
      { kind: 'prose', text: suffix },
    );
    from = end;
  }
  return [...pieces, toProse(source, from, source.length)];
}

function toProse(source: string, from: number, to: number): Piece {
  const isLineStart = from === 0 || source.charAt(from - 1) === '\n';
  return { kind: 'prose', text: escapeAngles(source.slice(from, to), isLineStart) };
}
