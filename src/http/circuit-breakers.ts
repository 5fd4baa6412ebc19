import { CircuitOpenError } from './http-errors.ts';

export type ExchangeOptions = {
  /** The key of the circuit, if the origin has several. */
  circuit?: string | undefined;
  /** The subject may keep failing on its own: while others are served, its failures do not count. */
  failsAlone?: boolean | undefined;
};

/** Report the result here. A stream may be served first and fail later. */
export type Exchange = {
  /** The other side responded, even with a refusal. */
  served(): void;
  /** `isAlone`: it may have failed for this subject alone, as in ExchangeOptions. */
  failed(isAlone?: boolean): void;
  /** The exchange ended without telling anything about the other side. */
  broken(): void;
};

/** `unknown`: it was open, and there was no probe for a while. */
export type CircuitWord = 'closed' | 'open' | 'half_open' | 'unknown';

export type BreakerOptions = {
  /** Called on every change. The state of an origin with several circuits is the worst of them. */
  onChange?(origin: string, state: CircuitWord): void;
  /** 0 to 1; Math.random unless a test wants to know. */
  random?(): number;
};

const WORST_FIRST = ['open', 'half_open', 'unknown'] as const;

/** The pause before a probe. If it succeeds, the circuit closes. After another such pause, the next may probe. */
const PAUSE_MS = 10_000;

/** The pause for subjects that have just failed: longer than the retries of all others, jitter included. */
const PAUSE_OF_FAILED_MS = 15_000;

/** Requests alone probe an open circuit. After this long without a probe its state is unknown. */
const FORGOTTEN_MS = 5 * 60_000;

/** The wait for others while a probe is in flight. */
const PROBE_WAIT_MS = 3_000;

export type CircuitBreakers = ReturnType<typeof createCircuitBreakers>;

/**
 * Circuit breakers per origin: requests to a failing origin are refused at once. An origin has one circuit, or several
 * if its parts fail separately.
 *
 * Libraries count exchanges and let anybody probe: one person whose questions always fail would block everybody. This
 * breaker counts subjects (the person or thing that an exchange is for), and prefers a probe by a subject whose last
 * exchange did not fail.
 */
export function createCircuitBreakers({ onChange, random = Math.random }: BreakerOptions = {}) {
  const origins = new Map<string, (circuit: string) => Breaker>();

  function breakerOf(origin: string, circuit = ''): Breaker {
    const known = origins.get(origin);
    if (known) return known(circuit);
    const created = createCircuits((state) => onChange?.(origin, state));
    origins.set(origin, created);
    return created(circuit);
  }

  return {
    /** Begins an exchange. Throws CircuitOpenError while the circuit is open. */
    begin(origin: string, subject: string, { circuit, failsAlone = false }: ExchangeOptions = {}): Exchange {
      const breaker = breakerOf(origin, circuit);
      const waitMs = breaker.pausedMs(subject);
      // Jitter, to avoid a thundering herd.
      if (waitMs > 0) throw new CircuitOpenError(origin, waitMs * (1 + random() / 4));
      return breaker.begin(subject, failsAlone);
    },
    /** How long this subject's requests are still blocked, in ms; 0: not at all. For an origin with one circuit. */
    pausedMs: (origin: string, subject: string): number => breakerOf(origin).pausedMs(subject),
  };
}

/** The circuits of one origin, by their keys. */
function createCircuits(onChange: (state: CircuitWord) => void): (circuit: string) => Breaker {
  const breakers = new Map<string, Breaker>();
  const counts: Record<CircuitWord, number> = { closed: 0, open: 0, half_open: 0, unknown: 0 };
  let reported: CircuitWord = 'closed';

  function create(): Breaker {
    let state: CircuitWord = 'closed';
    counts.closed += 1;
    return createBreaker((next) => {
      counts[state] -= 1;
      counts[next] += 1;
      state = next;
      const worst = WORST_FIRST.find((word) => counts[word] > 0) ?? 'closed';
      if (worst === reported) return;
      reported = worst;
      onChange(worst);
    });
  }

  return (circuit) => {
    const breaker = breakers.get(circuit) ?? create();
    breakers.set(circuit, breaker);
    return breaker;
  };
}

type Breaker = ReturnType<typeof createBreaker>;

function createBreaker(onChange: (state: CircuitWord) => void) {
  // Monotonic: the wall clock may be set back.
  const now = () => performance.now();
  const window = createFailureWindow(now);
  let state: 'closed' | 'open' | 'half_open' = 'closed';
  /** When the circuit opened, or the latest probe began. */
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
          // The next request may probe at once.
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
 * If any subject was served within this time, failures of subjects with `failsAlone` do not count. Long enough for a
 * series of their failures, short enough to notice an outage.
 */
const SERVING_MS = 10_000;

/** Failures of one or two subjects are not an outage. */
const LEAST_FAILED_SUBJECTS = 3;

/** The share of subjects that must have failed. */
const LEAST_FAILED_SHARE = 0.5;

/** Fewer exchanges are too few to judge. */
const LEAST_EXCHANGES = 10;

/** `times`: when its latest exchanges ended, at most LEAST_EXCHANGES. */
type Seen = Outcome & { times: number[] };

/**
 * The latest outcomes of an origin. Each subject has one vote, the outcome of its latest exchange, so that a frequent
 * subject does not decide for the others. `now`: monotonic, in ms.
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
