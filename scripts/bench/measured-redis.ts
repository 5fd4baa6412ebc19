import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from 'redis';
import { startRedis } from '../../test/app/redis-server.ts';
import { pinProcess } from './cores.ts';

/** What a Redis has used since its start. */
type RedisUsage = {
  /** Processor time of all its threads, user and system, in ms. */
  cpuMs: number;
  /** All commands that were executed, also those inside scripts. */
  commands: number;
  /** How often it flushed its file to disk, and how much it wrote. NaN if the system has no /proc. */
  flushes: number;
  writtenBytes: number;
};

export type MeasuredRedis = Awaited<ReturnType<typeof startMeasuredRedis>>;

/** A separate Redis, which writes every command to disk before it answers. */
export async function startMeasuredRedis(core: number | undefined) {
  const server = await startRedis();
  const client = createClient({ url: server.url });
  // If Redis ends during a call, that call rejects.
  client.on('error', () => undefined);
  await client.connect();
  const pid = readNumber(await client.info('server'), 'process_id');
  if (core !== undefined) pinProcess(pid, core);
  return {
    url: server.url,
    usage: async () => toUsage(await client.info('all'), readSystemCalls(pid)),
    /** How many calls Redis got during `work`; a script is one call. It slows Redis down, so time nothing meanwhile. */
    countCalls: (work: () => Promise<unknown>) => countCalls(server.url, work),
    /** Memory in bytes: `in all`, and `in` each kind of key, by the first two parts of its name. */
    async keeps(): Promise<Map<string, number>> {
      const kept = new Map([['in all', readNumber(await client.info('memory'), 'used_memory')]]);
      for await (const keys of client.scanIterator({ COUNT: 1_000 })) {
        const sizes = await Promise.all(keys.map((key) => client.memoryUsage(key, { SAMPLES: 0 })));
        for (const [index, key] of keys.entries()) {
          const kind = `in ${key.split(':', 2).join(':')}`;
          kept.set(kind, (kept.get(kind) ?? 0) + (sizes[index] ?? 0));
        }
      }
      return kept;
    },
    async stop(): Promise<void> {
      client.destroy();
      await server.close();
    },
  };
}

/** Redis does not count flushes. It counts writes to clients; all other writes are to its file, and each is flushed. */
function toUsage(info: string, { writes, writtenBytes }: ReturnType<typeof readSystemCalls>): RedisUsage {
  return {
    cpuMs: (readNumber(info, 'used_cpu_user') + readNumber(info, 'used_cpu_sys')) * 1000,
    commands: readNumber(info, 'total_commands_processed'),
    flushes: writes - readNumber(info, 'total_writes_processed'),
    writtenBytes,
  };
}

function readSystemCalls(pid: number) {
  try {
    const text = readFileSync(`/proc/${pid}/io`, 'utf8');
    return { writes: readNumber(text, 'syscw'), writtenBytes: readNumber(text, 'write_bytes') };
  } catch {
    return { writes: Number.NaN, writtenBytes: Number.NaN };
  }
}

/** One line of INFO (https://redis.io/docs/latest/commands/info/), or of /proc. */
function readNumber(text: string, name: string): number {
  return Number(new RegExp(`^${name}:(.*)$`, 'm').exec(text)?.[1]);
}

/** MONITOR reports a moment later. */
const SETTLE_MS = 200;

/** Uses MONITOR, because the counters of INFO do not distinguish a call from a command inside a script. */
async function countCalls(url: string, work: () => Promise<unknown>): Promise<number> {
  let calls = 0;
  const monitor = createClient({ url });
  monitor.on('error', () => undefined);
  await monitor.connect();
  try {
    await monitor.monitor((line) => {
      // `1339518083.107412 [0 127.0.0.1:60866] "SET" "key" …`; `lua` in place of the address is inside a script.
      if (!/^\S+ \[\d+ lua\]/.test(String(line))) calls += 1;
    });
    await work();
    await pause(SETTLE_MS);
  } finally {
    monitor.destroy();
  }
  return calls;
}
