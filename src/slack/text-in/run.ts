/** A message as a sequence of runs: what is code, a link or a person is no longer searched for words to act on. */
export type Run =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'link'; text: string; url: string }
  | { kind: 'user'; id: string };

/** `label (url)`, or the address alone where the label only repeats it. Labels can lie about where a link leads. */
export function toLinkRun(url: string, label: string): Run {
  const name = label.trim();
  if (/^(?:mailto|tel):/i.test(url)) {
    return { kind: 'text', text: name || url.slice(url.indexOf(':') + 1) };
  }
  const isRepeated = name === '' || name === url || url === `https://${name}` || url === `http://${name}`;
  return { kind: 'link', text: isRepeated ? url : `${name} (${url})`, url };
}

/** What quotes or indents text does so for each of its lines. */
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
