import type { HttpClient } from '../../http/http-client.ts';
import { type Check, speak } from '../check.ts';

/** Slack's requests may be five minutes off. Tokens are checked against the clock as well, and may last minutes. */
const MAX_OFF_MS = 60_000;

const { words, say } = speak({
  right: '✓ The clock is right: at most {seconds} s off from that of {who}.',
  wrong:
    "✗ This machine's clock is {seconds} s {way} that of {who}. Requests of Slack that are five minutes off are refused, and so are sign-ins. Set it, and let the machine keep it with NTP.",
  unknown: "! The clock could not be checked: no response had a time. Compare it with another machine's.",
});

/** Uses the header `Date` of other checks' responses, so it sends no requests. */
export const CLOCK: Check = {
  name: 'The clock',
  section: 'This machine',
  words,
  look({ config, aheadMs }) {
    // The most important clock first: Slack's is in signatures, and the identity provider's is in tokens.
    const keepers = [
      { who: 'Slack', url: config.SLACK_API_URL },
      { who: 'the identity provider', url: config.AUTH_URL },
      { who: 'the assistant service', url: config.ASSISTANT_BASE_URL },
    ].map(({ who, url }) => ({ who, ms: aheadMs.get(new URL(url).origin) }));
    const { who, ms } = keepers.find((one) => one.ms !== undefined) ?? {};
    if (who === undefined || ms === undefined) return say('unknown');
    const seconds = Math.round(Math.abs(ms) / 1000);
    return Math.abs(ms) < MAX_OFF_MS
      ? say('right', { seconds: seconds + 1, who })
      : say('wrong', { seconds, way: ms > 0 ? 'ahead of' : 'behind', who });
  },
};

/** Wraps `http`: notes for each origin how far our clock is ahead of its clock, in ms. */
export function watchClocks(http: HttpClient): { http: HttpClient; aheadMs: ReadonlyMap<string, number> } {
  const aheadMs = new Map<string, number>();
  const send: HttpClient['send'] = async (request) => {
    const sentAt = Date.now();
    const response = await http.send(request);
    const date = Date.parse(String(response.headers.date));
    // A page from a cache has an old date. The header has whole seconds, cut off.
    if (!Number.isNaN(date) && response.headers.age === undefined)
      aheadMs.set(new URL(request.url).origin, (sentAt + Date.now()) / 2 - (date + 500));
    return response;
  };
  return { http: { ...http, send }, aheadMs };
}
