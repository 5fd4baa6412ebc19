import type { Config } from '../../src/config.ts';
import { NOTE_EVERY_MS, type Sighting, type Sightings } from '../../src/slack/intake-watch.ts';
import { error, type Finding, ok, warning } from './finding.ts';
import { toAge } from './look-at-turns.ts';

const RETRY =
  'open Event Subscriptions in the settings of the Slack app (https://api.slack.com/apps), and press Retry beside Request URL until it says Verified';

const SECRET = 'Copy the Signing Secret from Basic Information → App Credentials, restart the app';

const CLOCK = 'Set the clock of this machine';

const ASK = 'mention the app in a channel that it was invited to, or write to it';

/** `isAppReady`: an app on this machine is ready. */
type View = { now: number; isAppReady: boolean };

/** Whoever is accepted at least once a day has the right secret, until it is changed. */
const LATELY_MS = 24 * 3_600_000;

/** What the app has noted of the requests that Slack sends: with a wrong secret, or at a wrong address, nobody is answered. */
export function lookAtArrivals({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>, seen: Sightings, view: View): Finding[] {
  const { signed, url_verification: verified, event, signature, stale } = seen;
  const { now, isAppReady } = view;
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
  if (!signed) return [describeSilence(PUBLIC_URL, isAppReady)];
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

export function describeSilence(publicUrl: string, isAppReady: boolean): Finding {
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
