// What people see of it in the browser is in tour.test.ts.
import { afterAll, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from './start-demo.ts';

describe('the demo', () => {
  const demos: Demo[] = [];
  afterAll(() => {
    for (const demo of demos) demo.remove();
  });

  function start(...args: string[]): Demo {
    const demo = startDemo(...args);
    demos.push(demo);
    return demo;
  }

  it('plays its script to the end, and sums it up in five lines', async () => {
    const { printed, ended } = start('--script');

    expect(await ended, printed()).toBe(0);
    expect(printed()).toMatch(
      /\n\nAna, Ben and Lena asked 6 questions in 4 conversations, .*\n.*\n.*\n.*\nAll of it worked\.\n$/,
    );
  });

  it('refuses a flag that it does not know, with its usage', async () => {
    const { printed, ended } = start('--scrpt');

    expect(await ended).toBe(1);
    expect(printed()).toMatch(/^Unknown option '--scrpt'.*\nUsage: .*\n$/);
  });

  it('ends with everything that it has started on SIGINT', async () => {
    const demo = start();
    await demo.address();

    await demo.stopsOn('SIGINT', 130);
  });
});
