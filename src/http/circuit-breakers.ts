import { createFailureWindow } from './failure-window.ts';
import { CircuitOpenError } from './http-errors.ts';

/**
 * One circuit breaker for each origin: what does not answer is left in peace, and those who ask are told at once.
 *
 * Written here because the breakers of libraries count exchanges and let anybody probe: one person whose questions
 * always fail then stops everybody. This one counts subjects (whom or what an exchange is for), and prefers a probe by
 * somebody whose last exchange did not fail.
 */
export type CircuitBreakers = {
  /** Begins an exchange. Throws CircuitOpenError while the origin is left in peace. */
  begin(origin: string, subject: string): Exchange;
  /** How long the origin is still left in peace by this subject, in ms; 0: it may ask. */
  pausedMs(origin: string, subject: string): number;
};

/** To be told how it went. One that began well, such as a stream, may fail later. */
export type Exchange = {
  /** The other side answered, if only with a refusal. */
  served(): void;
  failed(): void;
  /** It ended without telling anything about the other side. */
  broken(): void;
};

/** `unknown`: it was open, and nobody has tried the origin for a while. */
export type CircuitWord = 'closed' | 'open' | 'half_open' | 'unknown';

export type BreakerOptions = {
  /** Told of every change. */
  onChange?(origin: string, state: CircuitWord): void;
  /** 0 to 1; Math.random unless a test wants to know. */
  random?(): number;
};

/** Then one exchange is let through; if it goes well, all are. If it takes as long itself, another one is let through. */
const PAUSE_MS = 10_000;

/** For those who have just failed. Later than all others that were refused come back, jitter included. */
const PAUSE_OF_FAILED_MS = 15_000;

/** An open one finds out only when somebody asks. Where nobody does for so long, it says nothing of the origin. */
const FORGOTTEN_MS = 5 * 60_000;

/** While one is on its way, the others come back soon. */
const PROBE_WAIT_MS = 3_000;

export function createCircuitBreakers({ onChange, random = Math.random }: BreakerOptions = {}): CircuitBreakers {
  const breakers = new Map<string, Breaker>();

  function breakerOf(origin: string): Breaker {
    const known = breakers.get(origin);
    if (known) return known;
    const created = createBreaker((state) => onChange?.(origin, state));
    breakers.set(origin, created);
    return created;
  }

  return {
    begin(origin, subject) {
      const breaker = breakerOf(origin);
      const waitMs = breaker.pausedMs(subject);
      // Those who were refused together must not come back together.
      if (waitMs > 0) throw new CircuitOpenError(origin, waitMs * (1 + random() / 4));
      return breaker.begin(subject);
    },
    pausedMs: (origin, subject) => breakerOf(origin).pausedMs(subject),
  };
}

type Breaker = {
  begin(subject: string): Exchange;
  pausedMs(subject: string): number;
};

function createBreaker(onChange: (state: CircuitWord) => void): Breaker {
  // Not the time of day, which may be set back.
  const now = () => performance.now();
  const window = createFailureWindow(now);
  let state: 'closed' | 'open' | 'half_open' = 'closed';
  /** When it opened, or the latest probe began. */
  let since = 0;
  let forgetting: NodeJS.Timeout | undefined;

  function change(next: typeof state, at = now()): void {
    since = at;
    if (next === state) return;
    state = next;
    clearTimeout(forgetting);
    if (state === 'open') forgetting = setTimeout(() => onChange('unknown'), FORGOTTEN_MS).unref();
    onChange(state);
  }

  return {
    begin(subject) {
      // Until its first word: what becomes of a stream later is counted as of any other.
      let isProbe = state !== 'closed';
      if (isProbe) change('half_open');
      return {
        served() {
          if (isProbe && state !== 'closed') {
            window.clear();
            change('closed');
          }
          isProbe = false;
          window.note(subject, false);
        },
        failed() {
          window.note(subject, true);
          if (state === 'closed' ? window.isOutage() : isProbe) change('open');
          isProbe = false;
        },
        broken() {
          // The next one may probe at once.
          if (isProbe && state === 'half_open') change('open', Number.NEGATIVE_INFINITY);
        },
      };
    },
    pausedMs(subject) {
      if (state === 'closed') return 0;
      const pauseMs = window.hasFailed(subject) ? PAUSE_OF_FAILED_MS : PAUSE_MS;
      const leftMs = Math.max(0, since + pauseMs - now());
      return state === 'half_open' ? Math.min(leftMs, PROBE_WAIT_MS) : leftMs;
    },
  };
}
