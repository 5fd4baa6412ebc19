import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

export type Terminal = {
  say(...lines: string[]): void;
  /** The next line that is entered, without white space around it. `isHidden`: not shown while it is typed. */
  ask(prompt: string, options?: { isHidden?: boolean }): Promise<string>;
  /** Enter means yes. */
  agrees(question: string): Promise<boolean>;
  close(): void;
};

/** The person has ended the input, with Ctrl-C or Ctrl-D. */
export class InputEndedError extends Error {}

/** Lines of the standard input, be it a person's or a pipe's. */
export function openTerminal(): Terminal {
  let isMuted = false;
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isMuted) process.stdout.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY === true });
  const entered: string[] = [];
  let waiting: PromiseWithResolvers<string> | undefined;
  let isEnded = false;
  lines.on('line', (line) => {
    if (waiting) waiting.resolve(line);
    else entered.push(line);
  });
  lines.on('SIGINT', () => lines.close());
  lines.on('close', () => {
    isEnded = true;
    waiting?.reject(new InputEndedError());
  });

  async function nextLine(): Promise<string> {
    const line = entered.shift();
    if (line !== undefined) return line;
    if (isEnded) throw new InputEndedError();
    waiting = Promise.withResolvers();
    try {
      return await waiting.promise;
    } finally {
      waiting = undefined;
    }
  }

  const terminal: Terminal = {
    say(...said) {
      for (const line of said) console.log(toPrintable(line));
    },
    async ask(prompt, { isHidden = false } = {}) {
      process.stdout.write(prompt);
      isMuted = isHidden;
      try {
        return (await nextLine()).trim();
      } finally {
        isMuted = false;
        if (isHidden) process.stdout.write('\n');
      }
    },
    async agrees(question) {
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

/** Some of it comes from elsewhere, and a terminal takes orders from some characters. */
function toPrintable(text: string): string {
  return text.replace(/\p{C}/gu, '?');
}
