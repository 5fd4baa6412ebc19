// What a person sees of `npm run setup` who makes mistakes while typing: Node's own line editor, over streams.
import { PassThrough } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { openTerminal } from '../scripts/setup/terminal.ts';

const BACKSPACE = '\x7f';
const ESCAPE = '\x1b';
const ARROW_UP = `${ESCAPE}[A`;
const CLEARED = `${ESCAPE}[0J`;

function sitDown() {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = Object.assign(new PassThrough(), { columns: 80 });
  let written = '';
  output.on('data', (chunk) => (written += chunk));
  const terminal = openTerminal({ input, output });
  onTestFinished(() => terminal.close());
  return {
    terminal,
    type: (keys: string) => input.write(keys),
    written: () => written,
    /** What was written since the line was cleared; then the cursor is moved. */
    line: () => written.split(CLEARED).at(-1)?.split(ESCAPE)[0],
  };
}

it('the question still stands before an answer that was corrected', async () => {
  const { terminal, type, line } = sitDown();
  const answer = terminal.ask('  Address: ');
  type(`https://bridge.exampel${BACKSPACE}${BACKSPACE}`);
  await expect.poll(line).toBe('  Address: https://bridge.examp');
  type('le.com\r');

  expect(await answer).toBe('https://bridge.example.com');
});

it('a secret is shown neither while it is typed and corrected, nor by an arrow at the next question', async () => {
  const { terminal, type, written, line } = sitDown();
  const secret = terminal.ask('  Client Secret: ', { isHidden: true });
  type(`my-secret!${BACKSPACE}\r`);
  expect(await secret).toBe('my-secret');

  const next = terminal.ask('  Tenant: ');
  type(`${ARROW_UP}x${BACKSPACE}`);
  await expect.poll(line).toBe('  Tenant: ');
  type('acme\r');

  expect(await next).toBe('acme');
  expect(written()).not.toContain('secret');
});
