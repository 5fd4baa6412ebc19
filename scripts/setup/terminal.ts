import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import { toPrintable } from '../printable.ts';

export type Terminal = ReturnType<typeof openTerminal>;

/** The person has ended the input, with Ctrl-C or Ctrl-D. */
export class InputEndedError extends Error {}

/** A person's terminal, or a pipe. `isTTY`: keys arrive one by one, and we have to show them. */
type Screen = { input: Readable & { isTTY?: boolean }; output: Writable & { columns?: number } };

/** Asks for lines of the standard input, which may be a terminal or a pipe. */
export function openTerminal({ input, output }: Screen = { input: process.stdin, output: process.stdout }) {
  let isMuted = false;
  const shown = new Writable({
    write(chunk, _encoding, done) {
      if (!isMuted) output.write(chunk);
      done();
    },
  });
  // readline has to know where a long prompt wraps.
  Object.defineProperty(shown, 'columns', { get: () => output.columns });
  // No history: an arrow would show a secret that was entered before.
  const lines = createInterface({ input, output: shown, terminal: input.isTTY === true, historySize: 0 });
  lines.on('SIGINT', () => lines.close());
  const entered = lines[Symbol.asyncIterator]();

  const terminal = {
    say(...said: string[]): void {
      for (const line of said) output.write(`${toPrintable(line)}\n`);
    },
    /** The next line that is entered, trimmed. `isHidden`: it is not shown while it is typed. */
    async ask(prompt: string, { isHidden = false } = {}): Promise<string> {
      // The prompt of readline, because it rewrites the whole line, prompt included, after a correction.
      lines.setPrompt(prompt);
      lines.prompt();
      isMuted = isHidden;
      try {
        const { value, done } = await entered.next();
        if (done) throw new InputEndedError();
        return value.trim();
      } finally {
        isMuted = false;
        if (isHidden) output.write('\n');
      }
    },
    /** Enter means yes. */
    async agrees(question: string): Promise<boolean> {
      while (true) {
        const answer = await terminal.ask(`${question} [Y/n] `);
        if (/^(y|yes|n|no|)$/i.test(answer)) return !/^n/i.test(answer);
        terminal.say('  Please answer y or n, or press Enter for yes.');
      }
    },
    close: () => lines.close(),
  };
  return terminal;
}
