import { beforeEach, describe, expect, it } from 'vitest';
import type { ClaimStore } from '../../src/identity/account-link.ts';
import { createMemoryStore } from './memory-store.ts';

let once: ClaimStore;
let time: number;

beforeEach(() => {
  time = 1_000_000;
  ({ once } = createMemoryStore(() => time));
});

describe('things to use once', () => {
  it('are given to one of many takers', async () => {
    await once.put('ticket', 'for ana', time + 1_000);

    const taken = await Promise.all(Array.from({ length: 10 }, () => once.take('ticket')));

    expect(taken.filter((value) => value !== undefined)).toEqual(['for ana']);
  });

  it('are held by the first of many who claim them, and all are told who that is', async () => {
    const claims = ['one', 'two', 'three'].map((name) => once.claim('prompt', name, time + 1_000));

    const told = new Set(await Promise.all(claims));

    expect(told.size).toBe(1);
    expect(told).toContain(await once.claim('prompt', 'four', time + 1_000));
  });

  it('can be claimed anew once they were taken, or are over', async () => {
    await once.claim('prompt', 'one', time + 1_000);
    await once.take('prompt');
    expect(await once.claim('prompt', 'two', time + 1_000)).toBe('two');
    time += 1_000;

    expect(await once.claim('prompt', 'three', time + 1_000)).toBe('three');
    expect(await once.claim('prompt', 'four', time + 1_000)).toBe('three');
  });

  it('are replaced only while they are there', async () => {
    await once.put('home', 'old', time + 1_000);
    await once.replace('home', () => 'new', time + 1_000);
    expect(await once.take('home')).toBe('new');

    await once.replace('home', () => 'newer', time + 1_000);

    expect(await once.peek('home')).toBeUndefined();
  });
});
