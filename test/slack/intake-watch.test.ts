import { beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/log.ts';
import { createIntakeWatch, readSightings } from '../../src/slack/intake-watch.ts';
import { createMemoryStore } from '../storage/memory-store.ts';

const MINUTE_MS = 60_000;

let time: number;
let lines: { level: string; reason?: string; sentence?: string; msg: string }[];
let puts: string[];
const now = () => time;

beforeEach(() => {
  time = 1_000_000;
  lines = [];
  puts = [];
});

function open() {
  const { once: store } = createMemoryStore(now);
  const counted: string[] = [];
  const written: Promise<void>[] = [];
  const counting = {
    put: (key: string, value: string, expiresAt: number) => {
      puts.push(key);
      const put = store.put(key, value, expiresAt);
      written.push(put);
      return put;
    },
  };
  /** What is noted, once all of it is. */
  const sightings = async () => {
    await Promise.all(written);
    return readSightings(store);
  };
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  const watch = createIntakeWatch({ store: counting, count: (reason) => void counted.push(reason), now, log });
  return { watch, sightings, counted };
}

describe('what arrives from Slack', () => {
  it('is noted once a minute, with the host that it was sent to', async () => {
    const { watch, sightings } = open();

    for (let second = 0; second < 90; second++) {
      watch.arrived('event', 'bridge.example');
      time += 1_000;
    }

    expect(puts).toHaveLength(4);
    expect(await sightings()).toEqual({
      signed: { at: 1_000_000 + MINUTE_MS, host: 'bridge.example' },
      event: { at: 1_000_000 + MINUTE_MS },
    });
  });

  it('is also how long the last events took, half of them at most', async () => {
    const { watch, sightings } = open();

    watch.delivered(time - 9_000);
    time += MINUTE_MS;
    for (const lagMs of [100, 2_400, 2_100, 2_200, 60_000, -50]) watch.delivered(time - lagMs);
    time += MINUTE_MS;
    watch.delivered(time - 2_300);

    expect(puts).toHaveLength(3);
    expect(await sightings()).toEqual({ delivered: { at: time, lagMs: 2_300 } });
    for (let event = 0; event < 20; event++) watch.delivered(time - 300);
    time += MINUTE_MS;
    watch.delivered(time - 300);
    expect(await sightings()).toMatchObject({ delivered: { lagMs: 300 } });
  });

  it('is also that it said hello, which is no request, and nothing is called an event that is none', async () => {
    const { watch, sightings } = open();

    watch.connected();
    watch.arrived('signed', 'bridge.example');
    watch.arrived('url_verification', 'bridge.example');

    expect(await sightings()).toEqual({
      connected: { at: 1_000_000 },
      signed: { at: 1_000_000, host: 'bridge.example' },
      url_verification: { at: 1_000_000 },
    });
  });
});

describe('what is refused', () => {
  it.each([
    ['signature', 'SLACK_SIGNING_SECRET'],
    ['stale', 'Set the clock'],
  ] as const)('is counted, noted, and said in the log once a minute: %s', async (reason, words) => {
    const { watch, sightings, counted } = open();

    for (let second = 0; second < 90; second++) {
      watch.refused(reason);
      time += 1_000;
    }

    expect(counted).toEqual(Array.from({ length: 90 }, () => reason));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({ level: 'warn', reason, sentence: expect.stringContaining(words) });
    expect(await sightings()).toEqual({ [reason]: { at: 1_000_000 + MINUTE_MS } });
  });

  it('makes a right request that follows news at once', async () => {
    const { watch, sightings } = open();
    watch.arrived('signed', '');
    watch.refused('signature');
    time += 5_000;

    watch.arrived('signed', '');

    expect(await sightings()).toEqual({ signed: { at: 1_005_000 }, signature: { at: 1_000_000 } });
  });

  it('is only counted where it may be anybody', async () => {
    const { watch, sightings, counted } = open();

    for (const reason of ['method', 'no_signature', 'too_large', 'unreadable', 'payload'] as const)
      watch.refused(reason);

    expect(counted).toHaveLength(5);
    expect(lines).toEqual([]);
    expect(await sightings()).toEqual({});
  });

  it('harms nothing where the store is down', async () => {
    const log = createLog('silent');
    const store = { put: () => Promise.reject(new Error('down')) };
    const watch = createIntakeWatch({ store, count: () => undefined, now, log });

    watch.refused('signature');
    watch.arrived('event', '');

    await new Promise((resolve) => setImmediate(resolve));
  });
});
