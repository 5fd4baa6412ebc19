import { useFakeTimers } from 'sinon';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCircuitBreakers, type Exchange } from '../../src/http/circuit-breakers.ts';
import { CircuitOpenError } from '../../src/http/http-errors.ts';

const ORIGIN = 'https://service.example';

let clock: ReturnType<typeof useFakeTimers>;
let changes: string[];
let breakers: ReturnType<typeof createCircuitBreakers>;

beforeEach(() => {
  clock = useFakeTimers({ now: 1_000_000, toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] });
  changes = [];
  breakers = createCircuitBreakers({ onChange: (_origin, state) => changes.push(state), random: () => 0 });
});
afterEach(() => clock.restore());

const begin = (subject: string) => breakers.begin(ORIGIN, subject);
const fail = (subject: string) => begin(subject).failed();
const serve = (subject: string) => begin(subject).served();
const pausedMs = (subject = 'somebody else') => breakers.pausedMs(ORIGIN, subject);

const repeatedly = (persons: string[], times: number) => Array.from({ length: times }, () => persons).flat();

const people = (count: number) => Array.from({ length: count }, (_, index) => `person ${index + 1}`);

function repeat(times: number, work: () => void): void {
  for (let count = 0; count < times; count++) work();
}

/** They ask in turn, and each fails, until nobody may ask any more. */
function failAll(persons: string[], times: number): void {
  repeat(times, () => {
    for (const person of persons) if (pausedMs(person) === 0) fail(person);
  });
}

/** Three people fail, until there are enough exchanges. */
function open(): void {
  failAll(['ana', 'ben', 'kim'], 4);
}

describe('an origin that fails for several people', () => {
  it('is left in peace, and those who ask are told for how long', () => {
    open();

    expect(() => begin('lee')).toThrow(CircuitOpenError);
    expect(() => begin('lee')).toThrow(expect.objectContaining({ retryAfterMs: 10_000 }));
    expect(pausedMs()).toBe(10_000);
    expect(breakers.pausedMs('https://other.example', 'lee')).toBe(0);
    expect(changes).toEqual(['open']);
  });

  it.each([
    ['one person', 1, 100],
    ['two', 2, 100],
    ['three who have asked nine times in all', 3, 3],
  ])('is not one that fails for %s', (_who, count, times) => {
    failAll(people(count), times);

    expect(pausedMs()).toBe(0);
  });

  it('is not one that serves most people, however often the others ask', () => {
    for (const person of people(9).slice(4)) serve(person);

    failAll(people(4), 50);

    expect(changes).toEqual([]);
  });

  it('is one that fails for most, however often the others are served', () => {
    repeat(100, () => people(4).forEach(serve));

    failAll(people(9).slice(4), 2);

    expect(changes).toEqual(['open']);
  });

  it('is not one that failed for them one after the other, over minutes', () => {
    for (const person of people(12)) {
      fail(person);
      clock.tick(15_000);
    }

    expect(changes).toEqual([]);
  });

  it('is one whose answers begin well and break off', () => {
    const exchanges = repeatedly(people(5), 2).map(begin);
    for (const exchange of exchanges) exchange.served();
    for (const exchange of exchanges) exchange.failed();

    expect(changes).toEqual(['open']);
  });
});

describe('subjects that may fail alone', () => {
  const failAlone = (subject: string) => breakers.begin(ORIGIN, subject, { failsAlone: true }).failed();

  it('say nothing of an origin that served others lately, however many they are', () => {
    serve('lee');

    people(100).forEach(failAlone);

    expect(pausedMs()).toBe(0);
  });

  it('say that it is down where it has served nobody for ten seconds', () => {
    serve('lee');
    people(12).forEach(failAlone);
    clock.tick(10_000);

    failAlone('one more');

    expect(pausedMs()).toBe(10_000);
  });

  it('say that it is down where what was served fails now', () => {
    serve('lee');
    people(12).forEach(failAlone);

    fail('lee');

    expect(pausedMs()).toBe(10_000);
  });
});

describe('an origin that fails for everybody as it does for a person without a licence', () => {
  /** Six people ask 48 questions within seven seconds; how many of them reach the origin. */
  function askAll(failQuestion: (exchange: Exchange) => void): number {
    let reached = 0;
    for (const person of repeatedly(people(6), 8)) {
      clock.tick(7_000 / 48);
      if (pausedMs(person) > 0) continue;
      reached += 1;
      failQuestion(begin(person));
    }
    return reached;
  }

  it('is asked as often as one that fails in any other way', () => {
    const plain = askAll((exchange) => exchange.failed());
    breakers = createCircuitBreakers();

    expect(askAll((exchange) => exchange.failed(true))).toBe(plain);
    expect(plain).toBe(10);
  });

  it('is not taken for one that answers again because a probe is refused', () => {
    askAll((exchange) => exchange.failed(true));
    clock.tick(10_000);

    begin('lee').failed(true);

    expect(pausedMs()).toBe(10_000);
    expect(changes).toEqual(['open', 'half_open', 'open']);
  });

  it('stops nobody while others are served, however often the person without a licence asks', () => {
    for (const person of repeatedly(people(6), 8)) {
      begin('unlicensed').failed(true);
      serve(person);
      clock.tick(9_999);
    }

    expect(pausedMs()).toBe(0);
    expect(changes).toEqual([]);
  });
});

describe('an origin with several circuits', () => {
  const begunIn = (circuit: string, subject = 'somebody') => breakers.begin(ORIGIN, subject, { circuit });

  function openIn(circuit: string): void {
    for (const person of repeatedly(people(5), 2)) begunIn(circuit, person).failed();
  }

  it('is left in peace in one of them, and used in the others', () => {
    openIn('one');

    expect(() => begunIn('one')).toThrow(CircuitOpenError);
    begunIn('other').served();
    expect(pausedMs()).toBe(0);
  });

  it('is in the worst state of any, and told of when that changes', () => {
    openIn('one');
    clock.tick(5_000);
    openIn('other');
    clock.tick(5_000);
    begunIn('one').served();
    const whileOtherIsOpen = [...changes];
    clock.tick(5_000);
    begunIn('other').served();

    expect(whileOtherIsOpen).toEqual(['open']);
    expect(changes).toEqual(['open', 'half_open', 'closed']);
  });
});

describe('an origin that is left in peace', () => {
  beforeEach(open);

  it('gets one request after the pause, and all of them once that goes well', () => {
    clock.tick(10_000);
    const probe = begin('lee');

    expect(() => begin('max')).toThrow(expect.objectContaining({ retryAfterMs: 3_000 }));
    probe.served();

    serve('max');
    serve('ana');
    expect(changes).toEqual(['open', 'half_open', 'closed']);
  });

  it('is left in peace again where that one fails, and the next probe is somebody else’s', () => {
    clock.tick(10_000);
    fail('lee');

    expect(pausedMs()).toBe(10_000);
    clock.tick(10_000);
    expect(pausedMs('lee')).toBe(5_000);
    expect(() => begin('lee')).toThrow(CircuitOpenError);
    serve('max');
    expect(pausedMs('lee')).toBe(0);
  });

  it('is probed by somebody who has just failed where nobody else asks, but later', () => {
    clock.tick(14_999);
    expect(() => begin('ana')).toThrow(CircuitOpenError);
    clock.tick(1);

    serve('ana');

    expect(changes).toEqual(['open', 'half_open', 'closed']);
  });

  it('is probed by another one where a probe has no answer for as long as the pause', () => {
    clock.tick(10_000);
    const hanging = begin('lee');
    clock.tick(9_999);
    expect(() => begin('max')).toThrow(CircuitOpenError);
    clock.tick(1);

    serve('max');
    hanging.failed();

    expect(pausedMs()).toBe(0);
    expect(changes).toEqual(['open', 'half_open', 'closed']);
  });

  it('is probed by the next one at once where a probe was stopped before it told anything', () => {
    clock.tick(10_000);
    begin('lee').broken();

    expect(pausedMs('max')).toBe(0);
    serve('max');
    expect(changes).toEqual(['open', 'half_open', 'open', 'half_open', 'closed']);
  });

  it('is judged by the probe alone, not by what began before', () => {
    clock.tick(60_000);
    serve('lee');
    const slow = begin('slow');
    open();
    clock.tick(10_000);
    const probe = begin('max');

    slow.served();
    expect(() => begin('lee')).toThrow(CircuitOpenError);
    probe.failed();

    expect(changes.slice(3)).toEqual(['open', 'half_open', 'open']);
  });

  it('needs several people again before it is left in peace again', () => {
    clock.tick(10_000);
    serve('lee');

    failAll(['ana'], 50);

    expect(pausedMs()).toBe(0);
  });

  it('is one that nothing is known of where nobody has tried it for five minutes', () => {
    clock.tick(10_000);
    fail('lee');
    clock.tick(299_999);
    const before = [...changes];
    clock.tick(1);

    expect(before).toEqual(['open', 'half_open', 'open']);
    expect(changes).toEqual([...before, 'unknown']);
    serve('lee');
    expect(changes.slice(4)).toEqual(['half_open', 'closed']);
    clock.tick(300_000);
    expect(changes).toHaveLength(6);
  });

  it('is not left in peace for longer where the clock is set back', () => {
    clock.setSystemTime(1_000_000 - 600_000);
    clock.tick(10_000);

    expect(pausedMs()).toBe(0);
  });
});
