import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild } from '@assistant-bridge/sandbox/child-processes.ts';
import { afterAll, describe, expect, it } from 'vitest';

const DEMO = fileURLToPath(new URL('../../scripts/demo.ts', import.meta.url));

describe('the demo', () => {
  const folders: string[] = [];

  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });

  /** A process group of its own, so that it can be seen whether anything of it is left. */
  function startDemo(...args: string[]) {
    const temporary = mkdtempSync(join(tmpdir(), 'demo-test-'));
    folders.push(temporary);
    const child = startChild(process.execPath, [DEMO, ...args], {
      env: { TMPDIR: temporary },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    let printed = '';
    const print = (chunk: Buffer) => {
      printed += chunk;
    };
    child.stdout?.on('data', print);
    child.stderr?.on('data', print);
    const ended = once(child, 'close').then(([code]) => code as number | null);
    return { child, printed: () => printed, ended, left: () => readdirSync(temporary) };
  }

  it('shows all that each line of a here-document leads to, once', async () => {
    const { child, printed, ended, left } = startDemo('--terminal');
    const asking = '@Assistant what is left of the launch budget?';
    const lines = ['sign in', asking, 'sign in', '/assistant-web-off when is the launch?', '> and who owns it?'];

    child.stdin?.end([...lines, '/assistant status', 'as ben', asking, 'sign in', ''].join('\n'));

    expect(await ended).toBe(0);
    const [, early, asked, signedIn, webOff, followUp, status, , askedByBen, ben] = printed().split(/(?:ana|ben)> /);
    expect(early).toMatch(/^sign in\nNothing asks you to sign in: ask something first, as in “@assistant what is left/);
    expect(asked).toContain('[Sign in]');
    expect(signedIn).toMatch(
      /Slack account\nAna Alvarez.*Work account\nAna Alvarez.*Travel \| 15,000.*1\. Launch budget\.xlsx/s,
    );
    expect(webOff).toMatch(/#general, in the thread\n.*The launch is planned for/s);
    expect(followUp).toContain('Ben Brandt owns the launch');
    expect(status?.split('You are signed in as')).toHaveLength(2);
    expect(askedByBen).toContain('[Sign in]');
    expect(ben?.split('[Sign in]').at(-1)).toMatch(/I found no figures.*1\. Launch plan\.docx/s);
    expect(ben).not.toContain('15,000');
    expect(left()).toEqual([]);
  });

  it('goes on as somebody else, presses what has a number, and shows modals', async () => {
    const { child, printed, ended } = startDemo('--terminal');
    const PRESSED = ['press 2', 'press 3', 'dm hello', 'press 1'];
    const lines = ['as kim', '/assistant-admin agents', 'sign in', '/assistant-admin limit travel'];

    child.stdin?.end(
      [...lines, 'enter Credits a month: two', 'enter Reason: trial of the desk', ...PRESSED, ''].join('\n'),
    );

    expect(await ended).toBe(0);
    const [, , , , limit, , , review, closed, asked, pressed] = printed().split(/(?:ana|kim)> /);
    expect(limit).toMatch(/── Monthly limit ──\n.*press 2: Set limit {3}press 3: Cancel/s);
    expect(review).toMatch(/^press 2\nCredits a month: This is not a number. Enter digits only/);
    expect(closed).toBe('press 3\n');
    expect(asked).toMatch(/direct message.*press 1: Sign in/s);
    expect(pressed).toContain('in front of you');
  });

  it('posts nothing that it does not understand', async () => {
    const { child, printed, ended } = startDemo('--terminal');

    child.stdin?.end(['what is new?', 'say', 'as dora', 'press 7', 'enter x', 'help', ''].join('\n'));

    expect(await ended).toBe(0);
    const [, unknown, bare, dora, press, enter, help] = printed().split('ana> ');
    expect(unknown).toMatch(/^what is new\?\nI do not know “what is new\?”, and posted nothing\. “help” lists .*\n$/);
    expect(bare).toContain('posted nothing');
    expect(dora).toContain('There are: ana, ben, kim, lena.');
    expect(press).toContain('Nothing that is shown has the number 7.');
    expect(enter).toContain('No modal is in front of you.');
    expect(help).toContain('press 2');
  });

  it('plays its script to the end, and sums it up in five lines', async () => {
    const { printed, ended } = startDemo('--script');

    expect(await ended, printed()).toBe(0);
    expect(printed()).toMatch(
      /\n\nAna, Ben and Lena asked 6 questions in 4 conversations, .*\n.*\n.*\n.*\nAll of it worked\.\n$/,
    );
  });

  it('refuses a flag that it does not know, with its usage', async () => {
    const { printed, ended } = startDemo('--scrpt');

    expect(await ended).toBe(1);
    expect(printed()).toMatch(/^The demo knows no “--scrpt”\. Usage: .*\n$/);
  });

  it('shows itself in the browser, at the address that it prints', async () => {
    const { child, printed, ended } = startDemo();
    await waitFor(() => printed().includes('Ctrl-C'));
    const address = /Ready: (http:\S+)/.exec(printed())?.[1] ?? '';

    const page = await (await fetch(address)).text();
    child.kill('SIGINT');

    expect(page).toContain('<work-space>');
    expect(await ended).toBe(130);
  });

  it.each([
    ['SIGTERM', 143, '--terminal', 'quit\n'],
    ['SIGINT', 130, '--terminal', 'quit\n'],
    ['SIGTERM', 143, '--browser', 'Ctrl-C'],
  ] as const)('stops the app and removes its folder on %s, %d with %s', async (signal, code, way, shown) => {
    const { child, printed, ended, left } = startDemo(way);
    await waitFor(() => printed().includes(shown));
    expect(left()).toHaveLength(1);

    child.kill(signal);

    expect(await ended).toBe(code);
    expect(left()).toEqual([]);
    expect(hasGroup(child)).toBe(false);
  });
});

async function waitFor(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 50));
}

function hasGroup({ pid = 0 }: ChildProcess): boolean {
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}
