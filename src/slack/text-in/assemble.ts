import { splitAddresses, splitCode } from './mrkdwn.ts';
import type { Run } from './run.ts';

export type Range = { start: number; end: number };

/**
 * The runs of a message as one text. `searchable` is the same text, as long, with everything blanked out that must not
 * be searched for words to act on. `mentions` are the places where the bot was mentioned, one space each.
 */
export type Assembled = {
  text: string;
  searchable: string;
  mentions: Range[];
  mentionedUsers: string[];
  addresses: string[];
};

export type NameOf = (userId: string) => string | undefined;

export function assemble(runs: Run[], botUserId: string, nameOf: NameOf): Assembled {
  const assembled: Assembled = { text: '', searchable: '', mentions: [], mentionedUsers: [], addresses: [] };
  const users = new Set<string>();
  const append = (text: string, searchable: string) => {
    assembled.text += text;
    assembled.searchable += searchable;
  };
  for (const run of splitLiterals(runs)) {
    if (run.kind === 'text') {
      append(run.text, run.text);
    } else if (run.kind !== 'user') {
      append(run.text, 'x'.repeat(run.text.length));
      assembled.addresses.push(...(run.kind === 'link' ? [run.url] : []));
    } else if (run.id === botUserId) {
      const start = assembled.text.length;
      append(' ', ' ');
      assembled.mentions.push({ start, end: start + 1 });
    } else {
      const name = `@${nameOf(run.id) ?? run.id}`;
      append(name, ' '.repeat(name.length));
      users.add(run.id);
    }
  }
  assembled.mentionedUsers = [...users];
  return assembled;
}

// A pair of backticks, or an address, may be spread over several runs of text, where only part of it is bold.
function splitLiterals(runs: Run[]): Run[] {
  const merged: Run[] = [];
  for (const run of runs) {
    const last = merged.at(-1);
    if (run.kind === 'text' && last?.kind === 'text') {
      merged[merged.length - 1] = { kind: 'text', text: last.text + run.text };
    } else {
      merged.push(run);
    }
  }
  return merged
    .flatMap((run) => (run.kind === 'text' ? splitCode(run.text) : [run]))
    .flatMap((run) => (run.kind === 'text' ? splitAddresses(run.text) : [run]));
}
