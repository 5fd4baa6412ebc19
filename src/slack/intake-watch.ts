import type { ExpiringStore } from '../identity/account-link.ts';
import type { Log } from '../log.ts';

/** Why a request to `/slack/events`, or an envelope, was refused. `too_many`: too much was being sent at once. */
export type Refusal =
  | 'method'
  | 'no_signature'
  | 'stale'
  | 'signature'
  | 'too_large'
  | 'too_many'
  | 'unreadable'
  | 'payload'
  | 'unknown_workspace';

/**
 * `signed`: any request with a valid signature. `url_verification`: Slack verifies the Request URL. `event`: a request
 * with an event, which Slack sends only after that.
 */
type Arrival = 'signed' | 'url_verification' | 'event';

/** When something last happened (epoch ms), on any replica. `lagMs`: the median delay of the last events. */
export type Sighting = { at: number; host?: string; lagMs?: number };
export type Sightings = Partial<Record<Arrival | 'connected' | 'delivered' | 'signature' | 'stale', Sighting>>;

/** The number of events whose delay is measured. */
const MEASURED = 20;

/** Each replica writes a sighting at most once a minute; the doctor allows for that. */
export const NOTE_EVERY_MS = 60_000;

const KEPT_MS = 365 * 24 * 3_600_000;

/** Refused requests that seem to come from Slack: an operator has to act. */
const SENTENCES = {
  signature:
    'Requests seem to come from Slack, but their signature does not match SLACK_SIGNING_SECRET, so they are refused. Copy the Signing Secret from Basic Information → App Credentials of this Slack app, and restart. If other requests are accepted, somebody else may be sending these.',
  stale:
    'Requests seem to come from Slack, but their time differs from the clock of this machine by more than five minutes, so they are refused. Set the clock, best with NTP.',
};

export type IntakeWatch = ReturnType<typeof createIntakeWatch>;

/**
 * Watches what arrives from Slack and what is refused: counts refusals, logs once a minute what to do about them, and
 * stores for the doctor when Slack last got through and when it was last refused. Never throws or waits.
 */
export function createIntakeWatch(ports: {
  store: Pick<ExpiringStore, 'put'>;
  /** Counts a refusal. */
  count(reason: Refusal): void;
  now(): number;
  log: Log;
}) {
  const { store, count, now, log } = ports;
  const notedAt = new Map<keyof Sightings, number>();
  const lags: number[] = [];

  function isDue(what: keyof Sightings): boolean {
    // Clocks may be set back.
    return Math.abs(now() - (notedAt.get(what) ?? Number.NEGATIVE_INFINITY)) >= NOTE_EVERY_MS;
  }

  function note(what: keyof Sightings, seen: Omit<Sighting, 'at'> = {}): void {
    const at = now();
    notedAt.set(what, at);
    const sighting: Sighting = { at, ...seen };
    // Best effort, for the doctor only: a store that is down is reported elsewhere.
    store.put(toKey(what), JSON.stringify(sighting), at + KEPT_MS).catch((error: unknown) => {
      log.debug({ err: error }, 'sighting of slack not stored');
    });
  }

  return {
    /** `host`: the host name that the request was sent to. */
    arrived(what: Arrival, host: string): void {
      if (isDue('signed')) note('signed', host === '' ? {} : { host: host.slice(0, 200) });
      if (what !== 'signed' && isDue(what)) note(what);
    },
    /** An event arrived for the first time. Slack sent it at this time (epoch ms). */
    delivered(sentAt: number): void {
      // Clocks differ by some milliseconds.
      lags.push(Math.max(0, now() - sentAt));
      if (lags.length > MEASURED) lags.shift();
      const lagMs = lags.toSorted((one, other) => one - other)[Math.floor(lags.length / 2)];
      if (lagMs !== undefined && isDue('delivered')) note('delivered', { lagMs });
    },
    /** Socket Mode: Slack said hello. */
    connected: () => note('connected'),
    refused(reason: Refusal): void {
      count(reason);
      if ((reason !== 'signature' && reason !== 'stale') || !isDue(reason)) return;
      note(reason);
      // Note the next accepted request at once.
      notedAt.delete('signed');
      log.warn({ reason, sentence: SENTENCES[reason] }, 'slack requests refused');
    },
  };
}

/** What all replicas have seen so far. */
export async function readSightings(store: Pick<ExpiringStore, 'peek'>): Promise<Sightings> {
  const kinds = ['signed', 'url_verification', 'event', 'connected', 'delivered', 'signature', 'stale'] as const;
  const found = await Promise.all(kinds.map(async (what) => [what, await store.peek(toKey(what))] as const));
  return Object.fromEntries(found.flatMap(([what, text]) => (text ? [[what, JSON.parse(text)]] : [])));
}

function toKey(what: keyof Sightings): string {
  return `slack-sighting:${what}`;
}
