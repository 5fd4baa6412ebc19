import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from 'redis';
import { startRedis } from '../../test/sandbox/redis-server.ts';
import { pinProcess } from './cores.ts';

/** What a Redis has used since its start. */
export type RedisUsage = {
  /** Processor time of all its threads, user and system, in ms. */
  cpuMs: number;
  /** What it keeps, in bytes: the records, and what they cost it. */
  memoryBytes: number;
  /** Everything it executed, each command inside a script as well. */
  commands: number;
  /** How often it flushed its file to disk. Undefined where the system has no /proc. */
  flushes: number | undefined;
};

/** What the clients of a Redis sent it while something went on. */
export type RedisCalls = {
  /** A script is one call. */
  calls: number;
  scripts: number;
  /** Calls by name, the most frequent first. */
  byCommand: [command: string, calls: number][];
};

/** A Redis of its own, which writes every command to disk before it answers. */
export type MeasuredRedis = {
  url: string;
  usage(): Promise<RedisUsage>;
  /** Slows Redis down, so not for what is timed. */
  watch(work: () => Promise<unknown>): Promise<RedisCalls>;
  stop(): Promise<void>;
};

export async function startMeasuredRedis(core: number | undefined): Promise<MeasuredRedis> {
  const server = await startRedis();
  const client = createClient({ url: server.url });
  // A Redis that ends while it is asked is reported by whoever asks.
  client.on('error', () => undefined);
  let pid: number;
  try {
    await client.connect();
    pid = await readPid(client);
    if (core !== undefined) pinProcess(pid, core);
  } catch (error) {
    await server.close();
    throw error;
  }
  return {
    url: server.url,
    usage: async () => toUsage(await client.info('all'), pid),
    watch: (work) => watch(server.url, work),
    async stop() {
      client.destroy();
      await server.close();
    },
  };
}

async function readPid(client: { info(section: string): Promise<string> }): Promise<number> {
  return readNumber(await client.info('server'), 'process_id');
}

function toUsage(info: string, pid: number): RedisUsage {
  const seconds = readNumber(info, 'used_cpu_user') + readNumber(info, 'used_cpu_sys');
  return {
    cpuMs: seconds * 1000,
    memoryBytes: readNumber(info, 'used_memory'),
    commands: readNumber(info, 'total_commands_processed'),
    flushes: readFlushes(info, pid),
  };
}

/**
 * Redis does not count them. It writes to its clients and to its file, counts the first, and with `appendfsync always`
 * flushes after each of the second.
 */
function readFlushes(info: string, pid: number): number | undefined {
  try {
    const writes = /^syscw: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1];
    return Number(writes) - readNumber(info, 'total_writes_processed');
  } catch {
    return undefined;
  }
}

/** One line of INFO: https://redis.io/docs/latest/commands/info/ */
function readNumber(info: string, name: string): number {
  return Number(new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]);
}

/** MONITOR reports a moment later. */
const SETTLE_MS = 200;

/** MONITOR, and not the counters of INFO, because those do not tell a call from a command inside a script. */
async function watch(url: string, work: () => Promise<unknown>): Promise<RedisCalls> {
  const counts = new Map<string, number>();
  const monitor = createClient({ url });
  monitor.on('error', () => undefined);
  await monitor.connect();
  try {
    await monitor.monitor((line) => {
      const command = readCommand(String(line));
      if (command) counts.set(command, (counts.get(command) ?? 0) + 1);
    });
    await work();
    await pause(SETTLE_MS);
  } finally {
    monitor.destroy();
  }
  const byCommand = [...counts].toSorted(([, a], [, b]) => b - a);
  const sum = (entries: [string, number][]) => entries.reduce((total, [, count]) => total + count, 0);
  return { calls: sum(byCommand), scripts: sum(byCommand.filter(([name]) => isScript(name))), byCommand };
}

/** `1339518083.107412 [0 127.0.0.1:60866] "SET" "key" …`; `lua` in place of the address is inside a script. */
function readCommand(line: string): string | undefined {
  const [, source, name] = /^\S+ \[\d+ ([^\]]+)\] "([^"]+)"/.exec(line) ?? [];
  return source === 'lua' ? undefined : name?.toLowerCase();
}

function isScript(command: string): boolean {
  return /^(eval|evalsha|fcall)$/.test(command);
}
