import type { Config } from '../../src/config.ts';
import { NOTE_EVERY_MS, type Sighting, type Sightings } from '../../src/slack/intake-watch.ts';
import { error, type Finding, ok, warning } from './finding.ts';
import { toAge } from './look-at-turns.ts';

const RETRY =
  'open Event Subscriptions in the settings of the Slack app (https://api.slack.com/apps), and press Retry beside Request URL until it says Verified';

/** What the app has noted of the requests that Slack sends: with a wrong secret, or at a wrong address, nobody is answered. */
export function lookAtArrivals({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>, seen: Sightings, now: number): Finding[] {
  const { signed, event, signature, stale } = seen;
  const ago = ({ at }: Sighting) => `${toAge(now - at)} ago`;
  const accepted = signed ? ` The last one that was accepted came ${ago(signed)}.` : '';
  if (signature && isNewer(signature, signed)) {
    return [
      error(
        `Requests arrive from Slack, but their signature does not match (the last ${ago(signature)}): SLACK_SIGNING_SECRET is wrong.${accepted} Copy the Signing Secret from Basic Information → App Credentials, restart the app, then ${RETRY}.`,
      ),
    ];
  }
  if (stale && isNewer(stale, signed)) {
    return [
      error(
        `Requests arrive from Slack, but their time is more than five minutes off from the clock here (the last ${ago(stale)}), so they are refused.${accepted} Set the clock of this machine.`,
      ),
    ];
  }
  if (!signed) return [describeSilence(PUBLIC_URL)];
  if (!event) {
    return [
      warning(
        `Slack's last request came ${ago(signed)}, but no event was ever received. Make sure that the Request URL is verified: ${RETRY}. Then mention the app in a channel that it was invited to, or write to it.`,
      ),
      ...inspectHost(PUBLIC_URL, signed),
    ];
  }
  return [ok(`The last event of Slack came ${ago(event)}.`), ...inspectHost(PUBLIC_URL, signed)];
}

export function describeSilence(publicUrl: string): Finding {
  return warning(
    `No event was ever received from Slack, so nobody is answered. Start the app, then ${RETRY}. If it stays unverified, Slack does not reach ${publicUrl}/slack/events: check PUBLIC_URL, and the address that the manifest was made for.`,
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
      `Slack's requests are sent to ${hostname}, but PUBLIC_URL is ${publicUrl}. Set PUBLIC_URL to the address that the manifest was made for, or make a new manifest (npm run manifest -- ${publicUrl}), and paste it under App Manifest. If a proxy of yours changes the Host header, ignore this.`,
    ),
  ];
}
