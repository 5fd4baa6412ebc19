import { createFailureWindow } from './failure-window.ts';
import { CircuitOpenError } from './http-errors.ts';

/**
 * Circuit breakers for origins: what does not answer is left in peace, and those who ask are told at once. An origin has
 * one circuit, or several where parts of it fail separately.
 *
 * Written here because the breakers of libraries count exchanges and let anybody probe: one person whose questions
 * always fail then stops everybody. This one counts subjects (whom or what an exchange is for), and prefers a probe by
 * somebody whose last exchange did not fail.
 */
export type CircuitBreakers = {
  /** Begins an exchange. Throws CircuitOpenError while the circuit is open. */
  begin(origin: string, subject: string, options?: ExchangeOptions): Exchange;
  /** How long the origin is still left in peace by this subject, in ms; 0: it may ask. Of an origin with one circuit. */
  pausedMs(origin: string, subject: string): number;
};

export type ExchangeOptions = {
  /** The key of the circuit, where the origin has several. */
  circuit?: string | undefined;
  /** The subject may fail for good by itself: while others are served, its failures say nothing of the origin. */
  failsAlone?: boolean | undefined;
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
  /** Told of every change. An origin with several circuits is in the worst state of any of them. */
  onChange?(origin: string, state: CircuitWord): void;
  /** 0 to 1; Math.random unless a test wants to know. */
  random?(): number;
};

const WORST_FIRST = ['open', 'half_open', 'unknown'] as const;

/** Then one exchange is let through; if it goes well, all are. If it takes as long itself, another one is let through. */
const PAUSE_MS = 10_000;

/** For those who have just failed. Later than all others that were refused come back, jitter included. */
const PAUSE_OF_FAILED_MS = 15_000;

/** An open one finds out only when somebody asks. Where nobody does for so long, it says nothing of the origin. */
const FORGOTTEN_MS = 5 * 60_000;

/** While one is on its way, the others come back soon. */
const PROBE_WAIT_MS = 3_000;

export function createCircuitBreakers({ onChange, random = Math.random }: BreakerOptions = {}): CircuitBreakers {
  const origins = new Map<string, (circuit: string) => Breaker>();

  function breakerOf(origin: string, circuit = ''): Breaker {
    const known = origins.get(origin);
    if (known) return known(circuit);
    const created = createCircuits((state) => onChange?.(origin, state));
    origins.set(origin, created);
    return created(circuit);
  }

  return {
    begin(origin, subject, { circuit, failsAlone = false } = {}) {
      const breaker = breakerOf(origin, circuit);
      const waitMs = breaker.pausedMs(subject);
      // Those who were refused together must not come back together.
      if (waitMs > 0) throw new CircuitOpenError(origin, waitMs * (1 + random() / 4));
      return breaker.begin(subject, failsAlone);
    },
    pausedMs: (origin, subject) => breakerOf(origin).pausedMs(subject),
  };
}

/** The circuits of one origin, by their keys. */
function createCircuits(onChange: (state: CircuitWord) => void): (circuit: string) => Breaker {
  const breakers = new Map<string, Breaker>();
  const counts: Record<CircuitWord, number> = { closed: 0, open: 0, half_open: 0, unknown: 0 };
  let told: CircuitWord = 'closed';

  function create(): Breaker {
    let state: CircuitWord = 'closed';
    counts.closed += 1;
    return createBreaker((next) => {
      counts[state] -= 1;
      counts[next] += 1;
      state = next;
      const worst = WORST_FIRST.find((word) => counts[word] > 0) ?? 'closed';
      if (worst === told) return;
      told = worst;
      onChange(worst);
    });
  }

  return (circuit) => {
    const breaker = breakers.get(circuit) ?? create();
    breakers.set(circuit, breaker);
    return breaker;
  };
}

type Breaker = {
  begin(subject: string, failsAlone: boolean): Exchange;
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
    begin(subject, failsAlone) {
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
          window.note(subject, { hasFailed: false, failsAlone });
        },
        failed() {
          window.note(subject, { hasFailed: true, failsAlone });
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
