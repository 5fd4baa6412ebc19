import { unescapeMrkdwn } from '../text-out/neutralise.ts';

/** A message is a sequence of runs. Only `text` is searched for words to act on. */
export type Run =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'link'; text: string; url: string }
  | { kind: 'user'; id: string };

const CODE = /```[\s\S]*?```|`[^`\n]+`/g;

// People's own `<` is always escaped, so brackets are Slack's markup. Linear time.
const REFERENCE = /<([^<>]*)>/g;

/** Slack's own markup: https://docs.slack.dev/messaging/formatting-message-text#advanced */
export function readMrkdwn(text: string): Run[] {
  return splitBy(CODE, text, readReferences, (code) => [
    { kind: 'code', text: readReferences(code).map(toPlain).join('') },
  ]);
}

/** Separates code from text that has no other markup. */
export function splitCode(text: string): Run[] {
  return splitBy(CODE, text, toTextRuns, (code) => [{ kind: 'code', text: code }]);
}

/** Separates bare addresses from text: Slack marks them in what people type, but not in everything that apps write. */
export function splitAddresses(text: string): Run[] {
  return splitBy(/https?:\/\/[^\s<>"'`|]+/gi, text, toTextRuns, (match) => {
    const address = trimPunctuation(match);
    return [{ kind: 'link', text: address, url: address }, ...toTextRuns(match.slice(address.length))];
  });
}

/** For a date without a text of its own; `timestamp` in seconds. */
export function toDate(timestamp: number): string {
  const date = new Date(timestamp * 1000);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

export function toTextRuns(text: string): Run[] {
  return text === '' ? [] : [{ kind: 'text', text }];
}

/** As text without links; people are named by their ids. */
export function toPlain(run: Run): string {
  return run.kind === 'user' ? `@${run.id}` : run.text;
}

/** `label (url)`, or the address alone if the label only repeats it. Labels can lie about where a link leads. */
export function toLinkRun(url: string, label: string): Run {
  const name = label.trim();
  if (/^(?:mailto|tel):/i.test(url)) {
    return { kind: 'text', text: name || url.slice(url.indexOf(':') + 1) };
  }
  const isRepeated = name === '' || name === url || url === `https://${name}` || url === `http://${name}`;
  return { kind: 'link', text: isRepeated ? url : `${name} (${url})`, url };
}

/** Quotes or indents each line. */
export function startLines(runs: Run[], start: string): Run[] {
  const started = runs.map((run) =>
    run.kind === 'user' ? run : { ...run, text: run.text.replaceAll('\n', `\n${start}`) },
  );
  return [{ kind: 'text', text: start }, ...started];
}

/** Joins blocks so that each begins on a line of its own. */
export function joinBlocks(blocks: Run[][]): Run[] {
  return blocks
    .filter((runs) => runs.length > 0)
    .flatMap((runs, index, all) => {
      const last = all[index - 1]?.at(-1);
      const isNewLine = last === undefined || (last.kind !== 'user' && last.text.endsWith('\n'));
      return isNewLine ? runs : [{ kind: 'text' as const, text: '\n' }, ...runs];
    });
}

function splitBy(pattern: RegExp, text: string, between: (text: string) => Run[], on: (match: string) => Run[]): Run[] {
  const runs: Run[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    runs.push(...between(text.slice(from, match.index)), ...on(match[0]));
    from = match.index + match[0].length;
  }
  return [...runs, ...between(text.slice(from))];
}

function readReferences(text: string): Run[] {
  const decoded = (part: string) => toTextRuns(unescapeMrkdwn(part));
  return splitBy(REFERENCE, text, decoded, (match) => [readReference(match.slice(1, -1))]);
}

function readReference(reference: string): Run {
  const bar = reference.indexOf('|');
  const target = unescapeMrkdwn(bar < 0 ? reference : reference.slice(0, bar));
  const label = bar < 0 ? '' : unescapeMrkdwn(reference.slice(bar + 1));
  const name = target.slice(1);
  switch (target.charAt(0)) {
    case '@':
      return { kind: 'user', id: name };
    case '#':
      return { kind: 'text', text: `#${label || name}` };
    case '!':
      return { kind: 'text', text: readSpecial(name, label) };
  }
  const isAddress = /^[a-z][a-z0-9+.-]*:/i.test(target);
  return isAddress ? toLinkRun(target, label) : { kind: 'text', text: `<${target}>` };
}

// `subteam^S1`, `date^1700000000^{date}^https://…`, or one of here, channel, everyone.
function readSpecial(name: string, label: string): string {
  const [kind, ...rest] = name.split('^');
  if (kind === 'date') {
    return label || toDate(Number(rest[0]));
  }
  if (kind === 'subteam') {
    return label || `@${rest[0] ?? ''}`;
  }
  return `@${kind ?? ''}`;
}

function trimPunctuation(address: string): string {
  let end = address.length;
  while (end > 0 && '.,;:!?)]}*_~'.includes(address.charAt(end - 1))) {
    end -= 1;
  }
  return address.slice(0, end);
}
