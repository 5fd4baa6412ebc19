import type { ExpiringStore } from '../identity/account-link.ts';
import type { Log } from '../log.ts';

/** Why a request to `/slack/events` was refused. */
export type Refusal =
  | 'method'
  | 'no_signature'
  | 'stale'
  | 'signature'
  | 'too_large'
  | 'unreadable'
  | 'payload'
  | 'unknown_workspace';

/**
 * `signed`: any request with a right signature. `url_verification`: Slack's look at the Request URL, which the answer
 * verifies. `event`: a request with an event, which Slack sends only then.
 */
type Arrival = 'signed' | 'url_verification' | 'event';

/** Told of what arrives from Slack and of what is refused. Nothing here throws or waits. */
export type IntakeWatch = {
  /** `host`: the host that it was sent to. */
  arrived(what: Arrival, host: string): void;
  refused(reason: Refusal): void;
};

/** When a thing last happened (epoch ms), on whichever replica. */
export type Sighting = { at: number; host?: string };
export type Sightings = Partial<Record<Arrival | 'signature' | 'stale', Sighting>>;

/** The doctor compares these with a minute of patience: a replica writes each of them at most once a minute. */
export const NOTE_EVERY_MS = 60_000;

const KEPT_MS = 365 * 24 * 3_600_000;

/** Refusals of what seems to come from Slack: an operator has to do something. */
const SENTENCES = {
  signature:
    'Requests seem to come from Slack, but their signature does not match SLACK_SIGNING_SECRET, so they are refused. Copy the Signing Secret from Basic Information → App Credentials of this Slack app, and restart. If other requests are accepted, somebody else may be sending these.',
  stale:
    'Requests seem to come from Slack, but their time differs from the clock of this machine by more than five minutes, so they are refused. Set the clock, best with NTP.',
};

/**
 * Counts refusals, says once a minute in the log what to do about them, and remembers in the store what the doctor wants
 * to know: when Slack was last heard, and when it was last refused.
 */
export function createIntakeWatch(ports: {
  store: Pick<ExpiringStore, 'put'>;
  /** Counts a refusal. */
  count(reason: Refusal): void;
  now(): number;
  log: Log;
}): IntakeWatch {
  const { store, count, now, log } = ports;
  const notedAt = new Map<keyof Sightings, number>();

  function isDue(what: keyof Sightings): boolean {
    // Clocks are set back, too.
    return Math.abs(now() - (notedAt.get(what) ?? Number.NEGATIVE_INFINITY)) >= NOTE_EVERY_MS;
  }

  function note(what: keyof Sightings, host?: string): void {
    const at = now();
    notedAt.set(what, at);
    const sighting: Sighting = { at, ...(host && { host: host.slice(0, 200) }) };
    // It is a help for the doctor: a store that is down is told of elsewhere.
    store.put(toKey(what), JSON.stringify(sighting), at + KEPT_MS).catch((error: unknown) => {
      log.debug({ err: error }, 'sighting of slack not noted');
    });
  }

  return {
    arrived(what, host) {
      if (isDue('signed')) note('signed', host);
      if (what !== 'signed' && isDue(what)) note(what);
    },
    refused(reason) {
      count(reason);
      if (reason !== 'signature' && reason !== 'stale') return log.debug({ reason }, 'request not from slack');
      if (!isDue(reason)) return;
      note(reason);
      // What comes after it is news.
      notedAt.delete('signed');
      log.warn({ reason, sentence: SENTENCES[reason] }, 'slack requests refused');
    },
  };
}

/** What the replicas have seen so far. */
export async function readSightings(store: Pick<ExpiringStore, 'peek'>): Promise<Sightings> {
  const kinds = ['signed', 'url_verification', 'event', 'signature', 'stale'] as const;
  const found = await Promise.all(kinds.map(async (what) => [what, await store.peek(toKey(what))] as const));
  return Object.fromEntries(found.flatMap(([what, text]) => (text ? [[what, JSON.parse(text)]] : [])));
}

function toKey(what: keyof Sightings): string {
  return `slack-sighting:${what}`;
}
