// A file system that forgets what was not flushed when its power is cut: ext4 in a file of its own, shut down as the tests of
// file systems do it. Needs Linux, root, and a loop device.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runToEnd } from '@assistant-bridge/sandbox/child-processes.ts';

export type ForgetfulDisk = {
  folder: string;
  /** Whoever has files open there has to be dead. Afterwards there is what was flushed, and nothing else. */
  cutPower(): Promise<void>;
  close(): Promise<void>;
};

const BYTES = 256 * 2 ** 20;

/** Where a file system commits by itself every five seconds, it flushes what nobody has asked for. */
const MOUNT = ['mount', '-o', 'loop,commit=600'];

/** EXT4_IOC_SHUTDOWN, without flushing the journal: see include/uapi/linux/ext4.h. */
const SHUT_DOWN = 'open(my $d, "<", shift) or die $!; my $how = pack("L", 2); ioctl($d, 0x8004587D, $how) or die $!';

/** Whoever was killed may still be closing its files. */
const RELEASED_WITHIN_MS = 5_000;

/** Throws an Error with a sentence for people where this machine has none. */
export async function mountForgetfulDisk(): Promise<ForgetfulDisk> {
  const home = mkdtempSync(join(tmpdir(), 'disk-'));
  const [image, folder] = [join(home, 'image'), join(home, 'mounted')];
  const mount = () => run([...MOUNT, image, folder]);
  const unmount = async () => {
    const givenUpAt = performance.now() + RELEASED_WITHIN_MS;
    for (;;) {
      try {
        return await run(['umount', folder]);
      } catch (error) {
        if (performance.now() > givenUpAt) throw error;
        await sleep(20);
      }
    }
  };
  try {
    mkdirSync(folder);
    await writeFile(image, '');
    await truncate(image, BYTES);
    await run(['mkfs.ext4', '-q', image]);
    await mount();
  } catch (error) {
    rmSync(home, { recursive: true });
    const why = error instanceof Error ? error.message : error;
    throw new Error(`To cut the power of a file system, Linux, root, a loop device and ext4 are needed: ${why}`);
  }
  return {
    folder,
    async cutPower() {
      await run(['perl', '-e', SHUT_DOWN, folder]);
      await unmount();
      await mount();
    },
    async close() {
      await unmount();
      rmSync(home, { recursive: true });
    },
  };
}

async function run([program = '', ...args]: string[]): Promise<void> {
  const { status, stderr } = await runToEnd(program, args);
  if (status !== 0) throw new Error(`${program} says “${stderr.trim()}”`);
}
