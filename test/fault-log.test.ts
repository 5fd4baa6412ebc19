import { useFakeTimers } from 'sinon';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFaultLog } from '../src/fault-log.ts';
import { createLog } from '../src/log.ts';

describe('a fault that thousands of calls have', () => {
  let clock: ReturnType<typeof useFakeTimers>;
  beforeEach(() => {
    clock = useFakeTimers({ toFake: ['performance', 'Date'] });
  });
  afterEach(() => clock.restore());

  it('is logged once in ten seconds for each kind, with how many were left out', () => {
    const lines: object[] = [];
    const say = createFaultLog(
      createLog('info', { write: (line: string) => lines.push(JSON.parse(line)) }),
      'it fails',
    );

    for (let call = 0; call < 1_000; call++) say('full', { reason: 'full' });
    say('locked', { reason: 'locked' });
    clock.tick(10_000);
    say('full', { reason: 'full' });

    expect(lines).toMatchObject([
      { msg: 'it fails', reason: 'full', unsaid: 0 },
      { msg: 'it fails', reason: 'locked', unsaid: 0 },
      { msg: 'it fails', reason: 'full', unsaid: 999 },
    ]);
  });

  it('has so many kinds and no more: whoever makes them up shares one line', () => {
    const lines: { level: string; kind: number }[] = [];
    const log = createLog('info', { write: (line: string) => lines.push(JSON.parse(line)) });
    const say = createFaultLog(log, 'refused', { everyMs: 60_000, level: 'info' });

    for (let kind = 0; kind < 1_000; kind++) say(`made up ${kind}`, { kind });

    expect(lines).toHaveLength(51);
    expect(lines.at(-1)).toMatchObject({ level: 'info', kind: 50 });

    clock.tick(60_000);
    say('a new one', { kind: 1_001 });
    expect(lines.at(-1)).toMatchObject({ kind: 1_001, unsaid: 0 });
  });
});
