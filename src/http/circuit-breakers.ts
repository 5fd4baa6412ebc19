import { CircuitOpenError } from './http-errors.ts';

export type ExchangeOptions = {
  /** The subject may fail permanently by itself: while others are served, its failures do not count. */
  failsAlone?: boolean | undefined;
};

/** Report the result here. A stream may be served first and fail later. */
export type Exchange = {
  /** The other side responded, even with a refusal. */
  served(): void;
  /** `isAlone`: it may have failed for this subject alone, as in ExchangeOptions. */
  failed(isAlone?: boolean): void;
  /** It ended without saying anything about the other side. */
  broken(): void;
};

/** `unknown`: it was open, and nobody has probed the origin for a while. */
export type CircuitWord = 'closed' | 'open' | 'half_open' | 'unknown';

export type BreakerOptions = {
  /** Called on every change. */
  onChange?(origin: string, state: CircuitWord): void;
  /** 0 to 1; Math.random unless a test wants to know. */
  random?(): number;
};

/** Until the first probe. If it succeeds, the circuit closes. If it takes as long itself, another probe is let through. */
const PAUSE_MS = 10_000;

/** For subjects that have just failed: later than the retries of all others, jitter included. */
const PAUSE_OF_FAILED_MS = 15_000;

/** An open circuit is probed only on demand. After so long without a probe its state is unknown. */
const FORGOTTEN_MS = 5 * 60_000;

/** The wait for others while a probe is in flight. */
const PROBE_WAIT_MS = 3_000;

export type CircuitBreakers = ReturnType<typeof createCircuitBreakers>;

/**
 * Circuit breakers per origin: requests to an origin that fails are refused at once.
 *
 * Not a library, because those count exchanges and let anybody probe, so one person whose questions always fail blocks
 * everybody. This one counts subjects (whom or what an exchange is for), and prefers a probe by a subject whose last
 * exchange did not fail.
 */
export function createCircuitBreakers({ onChange, random = Math.random }: BreakerOptions = {}) {
  const breakers = new Map<string, Breaker>();

  function breakerOf(origin: string): Breaker {
    const breaker = breakers.get(origin) ?? createBreaker((state) => onChange?.(origin, state));
    breakers.set(origin, breaker);
    return breaker;
  }

  return {
    /** Begins an exchange. Throws CircuitOpenError while the circuit is open. */
    begin(origin: string, subject: string, { failsAlone = false }: ExchangeOptions = {}): Exchange {
      const breaker = breakerOf(origin);
      const waitMs = breaker.pausedMs(subject);
      // Jitter, to avoid a thundering herd.
      if (waitMs > 0) throw new CircuitOpenError(origin, waitMs * (1 + random() / 4));
      return breaker.begin(subject, failsAlone);
    },
    /** How long this subject's requests are still blocked, in ms; 0: not at all. */
    pausedMs: (origin: string, subject: string) => breakerOf(origin).pausedMs(subject),
  };
}

type Breaker = ReturnType<typeof createBreaker>;

function createBreaker(onChange: (state: CircuitWord) => void) {
  // Monotonic: the wall clock may be set back.
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
    begin(subject: string, failsAlone: boolean): Exchange {
      // A probe until its first result: later failures of a stream count like any other.
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
        failed(isAlone = false) {
          window.note(subject, { hasFailed: true, failsAlone: failsAlone || isAlone });
          if (state === 'closed' ? window.isOutage() : isProbe) change('open');
          isProbe = false;
        },
        broken() {
          // The next one may probe at once.
          if (isProbe && state === 'half_open') change('open', Number.NEGATIVE_INFINITY);
        },
      };
    },
    pausedMs(subject: string): number {
      if (state === 'closed') return 0;
      const pauseMs = window.hasFailed(subject) ? PAUSE_OF_FAILED_MS : PAUSE_MS;
      const leftMs = Math.max(0, since + pauseMs - now());
      return state === 'half_open' ? Math.min(leftMs, PROBE_WAIT_MS) : leftMs;
    },
  };
}

/** `failsAlone`: see ExchangeOptions. */
type Outcome = { hasFailed: boolean; failsAlone: boolean };

const WINDOW_MS = 30_000;

/**
 * While anything was served so recently, subjects with `failsAlone` do not count. Long enough for a series of their
 * failures, short enough to notice when the origin goes down.
 */
const SERVING_MS = 10_000;

/** Failures of one or two subjects are not an outage. */
const LEAST_FAILED_SUBJECTS = 3;

/** Of the subjects. */
const LEAST_FAILED_SHARE = 0.5;

/** Fewer exchanges say little. */
const LEAST_EXCHANGES = 10;

/** `times`: when its latest exchanges ended, at most as many as are ever asked for. */
type Seen = Outcome & { times: number[] };

/**
 * The latest outcomes of an origin. Each subject has one vote, the outcome of its latest exchange, so that a frequent subject does not decide for the
 * others. `now`: monotonic, in ms.
 */
function createFailureWindow(now: () => number) {
  // In the order of their latest exchanges.
  const subjects = new Map<string, Seen>();

  function forgetOld(): void {
    const oldest = now() - WINDOW_MS;
    for (const [subject, { times }] of subjects) {
      if ((times.at(-1) ?? 0) > oldest) return;
      subjects.delete(subject);
    }
  }

  return {
    note(subject: string, outcome: Outcome): void {
      const times = subjects.get(subject)?.times ?? [];
      times.push(now());
      if (times.length > LEAST_EXCHANGES) times.shift();
      subjects.delete(subject);
      subjects.set(subject, { ...outcome, times });
      forgetOld();
    },
    /** Whether the latest exchange of this subject within the window failed. */
    hasFailed(subject: string): boolean {
      forgetOld();
      return subjects.get(subject)?.hasFailed ?? false;
    },
    /** Whether enough failed, for enough subjects, to blame the origin. */
    isOutage(): boolean {
      forgetOld();
      const oldest = now() - WINDOW_MS;
      const seen = [...subjects.values()];
      const isServing = seen.some(({ hasFailed, times }) => !hasFailed && (times.at(-1) ?? 0) > now() - SERVING_MS);
      const failed = seen.filter(({ hasFailed, failsAlone }) => hasFailed && !(failsAlone && isServing)).length;
      const exchanges = seen.reduce((sum, { times }) => sum + times.filter((time) => time > oldest).length, 0);
      return (
        failed >= LEAST_FAILED_SUBJECTS && failed >= seen.length * LEAST_FAILED_SHARE && exchanges >= LEAST_EXCHANGES
      );
    },
    clear: () => subjects.clear(),
  };
}
