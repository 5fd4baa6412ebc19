// What a line of Markdown says about the lines around it, for a text that is still growing and so has no tree.

/** An open code block: the text before its fence, its backticks or tildes, and what follows them. */
export type Fence = { prefix: string; marker: string; info: string };

/** The start of a line: indentation, quote markers, bullets and numbers. */
const LINE_MARKERS = '(?:[ \\t>]|[-*+][ \\t]|\\d{1,9}[.)][ \\t])*';

const MARKED = new RegExp(`^${LINE_MARKERS}`);

const OPENING = new RegExp(`^(${LINE_MARKERS})(\`{3,}|~{3,})([^\\r\\n]*)`);
const CLOSING = /^[ \t>]*(`{3,}|~{3,})[ \t\r\n]*$/;

const HEADING = new RegExp(`^${LINE_MARKERS}#{1,6}(?:\\s|$)`);

// A divider, or an underline that turns the line above into a heading.
const RULE = /^[ \t>]*(?:(?:-[ \t]*)+|(?:=[ \t]*)+|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})\r?\n?$/;

/** The code block that is open after a line, given the one that was open before it. */
export function toFenceAfter(line: string, open: Fence | undefined): Fence | undefined {
  if (open === undefined) {
    const [, prefix = '', marker = '', info = ''] = OPENING.exec(line) ?? [];
    return marker === '' || (marker.startsWith('`') && info.includes('`')) ? undefined : { prefix, marker, info };
  }
  return CLOSING.exec(line)?.[1]?.startsWith(open.marker) ? undefined : open;
}

export function readLineMarkers(line: string): string {
  return MARKED.exec(line)?.[0] ?? '';
}

/** The line of dashes below the first row of a table. */
export function isTableDelimiter(text: string): boolean {
  return /[|:]/.test(text) && text.includes('-') && /^[-:| \t>\r\n]+$/.test(text);
}

/** Whether Slack makes a block of a line of text, which ends the block of the text before it. */
export function isBlockLine(line: string): boolean {
  return HEADING.test(line) || RULE.test(line) || isTableDelimiter(line);
}
