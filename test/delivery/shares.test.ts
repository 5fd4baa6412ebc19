import sinon from 'sinon';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createShares, type Shares } from '../../src/delivery/shares.ts';

const ANA = 'T0001:U0ANA';
const BEN = 'T0001:U0BEN';

let clock: sinon.SinonFakeTimers;
let woken: string[];
let shares: Shares;

beforeEach(() => {
  // Not `nextTick`: what the test runner sends meanwhile would be lost with the clock, and it would wait for ever.
  clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  woken = [];
  shares = createShares((lane) => void woken.push(lane), 2);
});
afterEach(() => clock.restore());

/** Ana has her share, and these lanes of hers wait. */
function letWait(...lanes: string[]): void {
  shares.enter('a', ANA);
  shares.enter('b', ANA);
  for (const lane of lanes) shares.enter(lane, ANA);
}

describe('the share of a person', () => {
  it('goes to the lane that has waited longest, however often others ask', () => {
    letWait('c', 'd');
    shares.enter('d', ANA);
    shares.enter('e', ANA);

    shares.leave(ANA);

    expect(woken).toEqual(['c']);
    expect(shares.enter('d', ANA)).toBe(false);
    expect(shares.enter('new', ANA)).toBe(false);
    expect(shares.enter('c', ANA)).toBe(true);
    shares.leave(ANA);
    expect(woken).toEqual(['c', 'd']);
  });

  it('wakes a lane once, not each time that it asks', () => {
    letWait('c');
    shares.enter('c', ANA);
    shares.enter('c', ANA);

    shares.leave(ANA);
    shares.leave(ANA);

    expect(woken).toEqual(['c']);
  });

  it('goes to the next lane where the one that was woken has nothing to run', () => {
    letWait('c', 'd');
    shares.leave(ANA);

    shares.forget('c');

    expect(woken).toEqual(['c', 'd']);
  });

  it('goes to the next lane a moment later where the one that was woken runs on another replica', () => {
    letWait('c', 'd');
    shares.leave(ANA);

    clock.tick(250);

    expect(woken).toEqual(['c', 'd']);
    expect(shares.isWaiting('c')).toBe(false);
  });

  it("is no concern of a lane whose next turn is somebody else's by now", () => {
    letWait('c', 'd');

    expect(shares.enter('c', BEN)).toBe(true);
    shares.leave(ANA);

    expect(woken).toEqual(['d']);
  });

  it('is whole again when all is done', () => {
    letWait('c', 'd');
    shares.leave(ANA);
    shares.leave(ANA);
    shares.enter('c', ANA);
    shares.enter('d', ANA);
    shares.leave(ANA);
    shares.leave(ANA);

    expect([shares.enter('e', ANA), shares.enter('f', ANA), shares.enter('g', ANA)]).toEqual([true, true, false]);
  });

  it('is not held back from other replicas once this one stops: all that wait are woken', () => {
    letWait('c', 'd');

    shares.release();

    expect(woken).toEqual(['c', 'd']);
  });
});
