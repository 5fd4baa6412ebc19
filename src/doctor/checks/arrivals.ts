import type { Config } from '../../config.ts';
import { NOTE_EVERY_MS, readSightings, type Sighting, type Sightings } from '../../slack/intake-watch.ts';
import { type Check, type Found, type Stage, speak } from '../check.ts';
import { toAge } from './turns.ts';

const RETRY =
  'pen Event Subscriptions in the settings of the Slack app (https://api.slack.com/apps), and press Retry beside Request URL until it says Verified';
const ASK = 'mention the app in a channel that it was invited to, or write to it';
const SECRET = 'Copy the Signing Secret from Basic Information → App Credentials, restart the app';

const { words, say } = speak({
  event: '✓ The last event of Slack came {age} ago.',
  lag: '✓ Half of the last events came within {seconds} s after Slack sent them, by the clock here.',
  socketLag:
    '✓ Half of the last events came within {seconds} s after Slack sent them, by the clock here. Socket Mode takes about two seconds, and requests to an address of yours a fraction of that.',
  notStarted: '✓ Slack has sent nothing yet. Start the app{next}.',
  verified: `✓ Slack verified the Request URL {age} ago. No event came yet: ${ASK}.`,
  noEvent: `! Slack's last request came {age} ago, but no event was ever received. Make sure that the Request URL is verified: o${RETRY}. Then ${ASK}.`,
  nothing:
    '! No event was ever received from Slack, so nobody is answered. {first}. If it stays unverified, Slack does not reach {url}/slack/events: check PUBLIC_URL, and the address that the manifest was made for.',
  neverConnected: '! The app was never connected to Slack. Start it, and see its log.',
  onlyConnected: `! The app connected to Slack {age} ago, but no event was ever received. Make sure that Event Subscriptions are on in the settings of the Slack app, or paste the manifest for Socket Mode under App Manifest (npm run --silent manifest -- --socket <PUBLIC_URL>). Then ${ASK}.`,
  signature: `✗ Requests arrive from Slack, but their signature does not match (the last {age} ago): SLACK_SIGNING_SECRET is wrong.{accepted} ${SECRET}, then o${RETRY}.`,
  stale:
    '✗ Requests arrive from Slack, but their time is more than five minutes off from the clock here (the last {age} ago), so they are refused.{accepted} Set the clock of this machine.',
  doubtful:
    '! Requests that seem to come from Slack were refused, because {reason} (the last {refused} ago), but others were accepted (the last {accepted} ago). If Slack is no longer answered: {advice}. Otherwise somebody else sends these.',
  otherHost:
    "! Slack's requests are sent to {host}, but PUBLIC_URL is {url}. Set PUBLIC_URL to the address that the manifest was made for, or make a new manifest (npm run --silent manifest -- {url}), and paste it under App Manifest. If a proxy of yours changes the Host header, ignore this.",
});

/** The requests from Slack that the app has noted. With a wrong secret or address, nobody is answered. */
export const ARRIVALS: Check = {
  name: 'What Slack sends',
  section: 'Requests from Slack',
  words,
  async look({ config, store, app, stage }) {
    const { reader, isNew } = await store();
    if (!reader && !isNew) return undefined;
    // Ask the app first: then it has stored what it has seen.
    const { isReady: isAppReady } = await app();
    const seen = reader ? await readSightings(reader.once) : {};
    return judgeArrivals(config, seen, { now: Date.now(), isAppReady, stage });
  },
};

type Arrangement = Pick<Config, 'PUBLIC_URL'> & Partial<Pick<Config, 'SLACK_APP_TOKEN'>>;

/** `isAppReady`: an app on this machine is ready. */
type View = { now: number; isAppReady: boolean; stage?: Stage };

/** If a request was accepted within this time, the secret is right, unless it was changed since. */
const LATELY_MS = 24 * 3_600_000;

export function judgeArrivals(config: Arrangement, seen: Sightings, view: View): Found {
  return config.SLACK_APP_TOKEN ? judgeConnection(seen, view) : judgeRequests(config.PUBLIC_URL, seen, view);
}

/** With Socket Mode, no signature and no address can be wrong. */
function judgeConnection({ connected, event, delivered }: Sightings, view: View): Found {
  if (event) return [say('event', { age: toAge(view.now - event.at) }), describeLag('socketLag', delivered)];
  if (connected) return say('onlyConnected', { age: toAge(view.now - connected.at) });
  return isToBeStarted(view) ? say('notStarted', { next: '' }) : say('neverConnected');
}

function judgeRequests(url: string, seen: Sightings, view: View): Found {
  const refused = judgeRefused(seen, view.now);
  if (refused) return refused;
  const { signed, url_verification: verified, event, delivered } = seen;
  if (!signed) {
    if (isToBeStarted(view)) return say('notStarted', { next: `, then o${RETRY}` });
    return say('nothing', { first: view.isAppReady ? `O${RETRY}` : `Start the app, then o${RETRY}`, url });
  }
  const word = event ? 'event' : verified ? 'verified' : 'noEvent';
  const host = findOtherHost(url, signed);
  return [
    say(word, { age: toAge(view.now - (event ?? verified ?? signed).at) }),
    describeLag('lag', delivered),
    host ? say('otherHost', { host, url }) : undefined,
  ];
}

function describeLag(word: 'lag' | 'socketLag', { lagMs }: Partial<Sighting> = {}): Found {
  return lagMs === undefined ? undefined : say(word, { seconds: (lagMs / 1000).toFixed(1) });
}

function isToBeStarted({ stage, isAppReady }: View): boolean {
  return stage === 'before start' && !isAppReady;
}

const REASONS = {
  signature: { reason: 'their signature does not match', advice: SECRET },
  stale: { reason: 'their time is more than five minutes off', advice: 'Set the clock of this machine' },
};

/** Anybody can send requests that are refused. Replicas note each kind once a minute, so a note may be a minute old. */
function judgeRefused(seen: Sightings, now: number): Found {
  const { signed } = seen;
  const since = signed ? signed.at + NOTE_EVERY_MS : 0;
  const kind = (['signature', 'stale'] as const).find((one) => (seen[one]?.at ?? 0) > since);
  if (!kind) return undefined;
  const age = toAge(now - (seen[kind]?.at ?? 0));
  if (!signed) return say(kind, { age, accepted: '' });
  const accepted = toAge(now - signed.at);
  return now - signed.at < LATELY_MS
    ? say('doubtful', { ...REASONS[kind], refused: age, accepted })
    : say(kind, { age, accepted: ` The last one that was accepted came ${accepted} ago.` });
}

/** Ignores names without a dot and numbers, because a proxy may have put its own name there. */
function findOtherHost(publicUrl: string, { host = '' }: Sighting): string | undefined {
  const { hostname } = URL.parse(`https://${host}`) ?? { hostname: '' };
  const isName = /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}$/.test(hostname);
  return isName && hostname !== new URL(publicUrl).hostname ? hostname : undefined;
}
