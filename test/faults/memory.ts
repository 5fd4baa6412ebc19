import { setTimeout as sleep } from 'node:timers/promises';
import { runToEnd } from '@assistant-bridge/sandbox/child-processes.ts';

/** For `environment` of a process whose memory is to be read. */
export const MEMORY_ENVIRONMENT = {
  NODE_OPTIONS: `--import ${new URL('./collect-garbage.ts', import.meta.url).href}`,
};

const COLLECTED_AFTER_MS = 1_000;

/** Resident memory in megabytes, without what is only waiting to be collected. */
export async function readMemory(pid: number): Promise<number> {
  process.kill(pid, 'SIGUSR2');
  await sleep(COLLECTED_AFTER_MS);
  const { stdout } = await runToEnd('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout) / 1024;
}
