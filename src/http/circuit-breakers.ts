import { CircuitState, circuitBreaker, handleWhen, SamplingBreaker } from 'cockatiel';
import { CircuitOpenError, NotSentError, OutcomeUnknownError } from './http-errors.ts';

/** One circuit breaker for each origin: what does not answer is left in peace, and those who ask are told at once. */
export type CircuitBreakers = {
  /** Runs an exchange. Throws CircuitOpenError without running it while the origin is left in peace. */
  guard<T extends { status: number; headers: object }>(origin: string, exchange: () => Promise<T>): Promise<T>;
  /** How long the origin is still left in peace, in ms; 0: it takes requests. */
  pausedMs(origin: string): number;
};

/** `unknown`: it was open, and nobody has tried the origin for a while. */
export type CircuitWord = 'closed' | 'open' | 'half_open' | 'unknown';

export type BreakerOptions = {
  /** Told of every change. */
  onChange?(origin: string, state: CircuitWord): void;
  /** 0 to 1; Math.random unless a test wants to know. */
  random?(): number;
};

/** Half of the exchanges of half a minute failed, and there were at least ten: not one user's bad luck. */
const SAMPLE = { threshold: 0.5, duration: 30_000, minimumRps: 10 / 30 };

/** Then one exchange is let through; if it goes well, all are. */
const PAUSE_MS = 10_000;

/** An open one finds out only when somebody asks. Where nobody does for so long, it says nothing of the origin. */
const FORGOTTEN_MS = 5 * 60_000;

/** While that one is on its way, the others come back soon. */
const PROBE_WAIT_MS = 3_000;

export function createCircuitBreakers(options: BreakerOptions = {}): CircuitBreakers {
  const { random = Math.random } = options;
  const breakers = new Map<string, Breaker>();

  function breakerOf(origin: string): Breaker {
    const known = breakers.get(origin);
    // Where more is left than the whole pause, the clock was set back: by that much it would stay open.
    if (known && known.pausedMs() <= PAUSE_MS) return known;
    known?.drop();
    const created = createBreaker((state) => options.onChange?.(origin, state));
    breakers.set(origin, created);
    return created;
  }

  return {
    async guard(origin, exchange) {
      const breaker = breakerOf(origin);
      const waitMs = breaker.pausedMs();
      // Those who were refused together must not come back together.
      if (waitMs > 0) throw new CircuitOpenError(origin, waitMs * (1 + random() / 4));
      return breaker.run(exchange);
    },
    pausedMs: (origin) => breakerOf(origin).pausedMs(),
  };
}

type Breaker = {
  run<T>(exchange: () => Promise<T>): Promise<T>;
  pausedMs(): number;
  /** It is not asked any more. */
  drop(): void;
};

function createBreaker(onChange: (state: CircuitWord) => void): Breaker {
  const policy = circuitBreaker(handleWhen(isOutage).orWhenResult(isFault), {
    halfOpenAfter: PAUSE_MS,
    breaker: new SamplingBreaker(SAMPLE),
  });
  let openedAt = 0;
  let forgetting: NodeJS.Timeout | undefined;
  policy.onBreak(() => {
    openedAt = Date.now();
  });
  policy.onStateChange((state) => {
    clearTimeout(forgetting);
    if (state === CircuitState.Open) forgetting = setTimeout(() => onChange('unknown'), FORGOTTEN_MS).unref();
    onChange(toWord(state));
  });
  return {
    run: (exchange) => policy.execute(() => exchange()),
    drop() {
      clearTimeout(forgetting);
      onChange('unknown');
    },
    pausedMs() {
      // The library would have the others wait for the one that is let through, which may take minutes.
      if (policy.state === CircuitState.HalfOpen) return PROBE_WAIT_MS;
      if (policy.state !== CircuitState.Open) return 0;
      return Math.max(0, openedAt + PAUSE_MS - Date.now());
    },
  };
}

function toWord(state: CircuitState): CircuitWord {
  if (state === CircuitState.Closed) return 'closed';
  return state === CircuitState.HalfOpen ? 'half_open' : 'open';
}

function isOutage(error: unknown): boolean {
  if (error instanceof NotSentError) return true;
  return error instanceof OutcomeUnknownError && error.reason !== 'aborted';
}

/** A refusal is an answer; so is a wait that the other side names, and an operation that it does not have (501). */
function isFault(result: unknown): boolean {
  const { status, headers } = result as { status: number; headers: Record<string, unknown> };
  return status >= 500 && status !== 501 && headers['retry-after'] === undefined;
}
