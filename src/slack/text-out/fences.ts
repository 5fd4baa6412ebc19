/** A code block that is open: how its lines are led in, its backticks or tildes, and what follows them. */
export type Fence = { prefix: string; marker: string; info: string };

const OPENING = /^((?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*)(`{3,}|~{3,})([^\r\n]*)/;
const CLOSING = /^[ \t>]*(`{3,}|~{3,})[ \t\r\n]*$/;

/** The code block that is open after a line, given the one that was open before it. */
export function toFenceAfter(line: string, open: Fence | undefined): Fence | undefined {
  if (open === undefined) {
    return readOpening(line);
  }
  const marker = CLOSING.exec(line)?.[1];
  return marker?.startsWith(open.marker) ? undefined : open;
}

function readOpening(line: string): Fence | undefined {
  const [, prefix = '', marker = '', info = ''] = OPENING.exec(line) ?? [];
  if (marker === '' || (marker.startsWith('`') && info.includes('`'))) {
    return undefined;
  }
  return { prefix, marker, info };
}
