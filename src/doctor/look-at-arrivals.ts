import type { Config } from '../config.ts';
import { NOTE_EVERY_MS, type Sighting, type Sightings } from '../slack/intake-watch.ts';
import { error, type Finding, ok, type Stage, warning } from './finding.ts';
import { toAge } from './look-at-turns.ts';

const RETRY =
  'open Event Subscriptions in the settings of the Slack app (https://api.slack.com/apps), and press Retry beside Request URL until it says Verified';

const SECRET = 'Copy the Signing Secret from Basic Information → App Credentials, restart the app';

const CLOCK = 'Set the clock of this machine';

const ASK = 'mention the app in a channel that it was invited to, or write to it';

type Arrangement = Pick<Config, 'PUBLIC_URL'> & Partial<Pick<Config, 'SLACK_APP_TOKEN'>>;

/** `isAppReady`: an app on this machine is ready. */
type View = { now: number; isAppReady: boolean; stage?: Stage };

/** Whoever is accepted at least once a day has the right secret, until it is changed. */
const LATELY_MS = 24 * 3_600_000;

/** What the app has noted of the requests that Slack sends: with a wrong secret, or at a wrong address, nobody is answered. */
export function lookAtArrivals(config: Arrangement, seen: Sightings, view: View): Finding[] {
  return config.SLACK_APP_TOKEN ? lookAtConnection(seen, view) : lookAtRequests(config, seen, view);
}

/** With Socket Mode there is no signature and no address that could be wrong. */
function lookAtConnection({ connected, event }: Sightings, { now, isAppReady, stage }: View): Finding[] {
  const ago = ({ at }: Sighting) => `${toAge(now - at)} ago`;
  if (event) return [ok(`The last event of Slack came ${ago(event)}.`)];
  if (!connected && stage === 'before start' && !isAppReady) return [ok('Slack has sent nothing yet. Start the app.')];
  if (!connected) return [warning('The app was never connected to Slack. Start it, and see its log.')];
  return [
    warning(
      `The app connected to Slack ${ago(connected)}, but no event was ever received. Make sure that Event Subscriptions are on in the settings of the Slack app, or paste the manifest for Socket Mode under App Manifest (npm run --silent manifest -- --socket <PUBLIC_URL>). Then ${ASK}.`,
    ),
  ];
}

function lookAtRequests({ PUBLIC_URL }: Arrangement, seen: Sightings, view: View): Finding[] {
  const { signed, url_verification: verified, event, signature, stale } = seen;
  const { now, isAppReady, stage } = view;
  const ago = ({ at }: Sighting) => `${toAge(now - at)} ago`;
  const accepted = signed ? ` The last one that was accepted came ${ago(signed)}.` : '';
  // Anybody can send what is refused.
  const isAcceptedLately = signed !== undefined && now - signed.at < LATELY_MS;
  if (signature && isNewer(signature, signed)) {
    if (isAcceptedLately) return [describeDoubt('their signature does not match', ago(signature), ago(signed), SECRET)];
    return [
      error(
        `Requests arrive from Slack, but their signature does not match (the last ${ago(signature)}): SLACK_SIGNING_SECRET is wrong.${accepted} ${SECRET}, then ${RETRY}.`,
      ),
    ];
  }
  if (stale && isNewer(stale, signed)) {
    if (isAcceptedLately)
      return [describeDoubt('their time is more than five minutes off', ago(stale), ago(signed), CLOCK)];
    return [
      error(
        `Requests arrive from Slack, but their time is more than five minutes off from the clock here (the last ${ago(stale)}), so they are refused.${accepted} ${CLOCK}.`,
      ),
    ];
  }
  if (!signed) return [describeSilence(PUBLIC_URL, isAppReady, stage)];
  if (!event && verified) {
    return [
      ok(`Slack verified the Request URL ${ago(verified)}. No event came yet: ${ASK}.`),
      ...inspectHost(PUBLIC_URL, signed),
    ];
  }
  if (!event) {
    return [
      warning(
        `Slack's last request came ${ago(signed)}, but no event was ever received. Make sure that the Request URL is verified: ${RETRY}. Then ${ASK}.`,
      ),
      ...inspectHost(PUBLIC_URL, signed),
    ];
  }
  return [ok(`The last event of Slack came ${ago(event)}.`), ...inspectHost(PUBLIC_URL, signed)];
}

function describeSilence(publicUrl: string, isAppReady: boolean, stage?: Stage): Finding {
  if (stage === 'before start' && !isAppReady) return ok(`Slack has sent nothing yet. Start the app, then ${RETRY}.`);
  const first = isAppReady ? `O${RETRY.slice(1)}` : `Start the app, then ${RETRY}`;
  return warning(
    `No event was ever received from Slack, so nobody is answered. ${first}. If it stays unverified, Slack does not reach ${publicUrl}/slack/events: check PUBLIC_URL, and the address that the manifest was made for.`,
  );
}

function describeDoubt(what: string, refused: string, accepted: string, advice: string): Finding {
  return warning(
    `Requests that seem to come from Slack were refused, because ${what} (the last ${refused}), but others were accepted (the last ${accepted}). If Slack is no longer answered: ${advice}. Otherwise somebody else sends these.`,
  );
}

/** Replicas note each kind once a minute, so that what was noted a little earlier may have gone on. */
function isNewer(one: Sighting, other: Sighting | undefined): boolean {
  return !other || one.at > other.at + NOTE_EVERY_MS;
}

/** A proxy may have put a name of its own there, which mostly has no dot or is a number. */
function inspectHost(publicUrl: string, { host = '' }: Sighting): Finding[] {
  const { hostname } = URL.parse(`https://${host}`) ?? { hostname: '' };
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}$/.test(hostname) || hostname === new URL(publicUrl).hostname) return [];
  return [
    warning(
      `Slack's requests are sent to ${hostname}, but PUBLIC_URL is ${publicUrl}. Set PUBLIC_URL to the address that the manifest was made for, or make a new manifest (npm run --silent manifest -- ${publicUrl}), and paste it under App Manifest. If a proxy of yours changes the Host header, ignore this.`,
    ),
  ];
}
