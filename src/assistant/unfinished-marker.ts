/** A marker whose beginning may stand at the end of a text that is still growing. */
const BEGINNINGS: { first: string; pattern: RegExp }[] = [
  { first: '[', pattern: /^\[(?:\^[\w,;:^ -]{0,64}\]?|\[?\d{0,3}\]{0,2})(?:\([^\s)]{0,4096})?$/ },
  { first: '<', pattern: /^<\/?(?:[A-Z][A-Za-z]{0,31}(?:\s[^<>\n]{0,300})?)?$/ },
  { first: '【', pattern: /^【[^【】\n]{0,132}$/ },
  { first: '\uE200', pattern: /^\uE200[^\uE201\n]{0,200}$/ },
];

/** The longest beginning that a pattern above takes. */
const LOOK_BACK = 4200;

/** Without an unfinished marker at the end: what is shown of a growing text must not flash half a marker. */
export function dropUnfinishedMarker(text: string): string {
  const tail = text.slice(-LOOK_BACK);
  let end = tail.length;
  for (const { first, pattern } of BEGINNINGS) {
    const at = tail.lastIndexOf(first);
    // `[[1](…` begins with the first of the two brackets.
    const start = first === '[' && tail[at - 1] === '[' ? at - 1 : at;
    if (start !== -1 && pattern.test(tail.slice(start))) end = Math.min(end, start);
  }
  return end === tail.length ? text : text.slice(0, text.length - tail.length + end);
}
