import type { HttpClient } from '../http/http-client.ts';
import { error, type Finding, ok, warning } from './finding.ts';

/** Slack's requests may be five minutes off. Tokens are checked against the clock as well, and may last minutes. */
const MAX_OFF_MS = 60_000;

export type Clocks = {
  /** The same client. The time that whoever answers has is noted on the way. */
  http: HttpClient;
  /** The clock here against that of the first of these that told its time. */
  compare(others: { who: string; url: string }[]): Finding;
};

/** Answers tell their time in the header `Date`, so that nobody has to be asked for it. */
export function watchClocks(http: HttpClient): Clocks {
  /** By origin, how far the clock here is ahead, in ms. */
  const aheadMs = new Map<string, number>();
  return {
    http: {
      ...http,
      async send(request) {
        const sentAt = Date.now();
        const response = await http.send(request);
        const ms = measureAhead(response.headers, (sentAt + Date.now()) / 2);
        if (ms !== undefined) aheadMs.set(new URL(request.url).origin, ms);
        return response;
      },
    },
    compare(others) {
      const asked = others.map(({ who, url }) => ({ who, ms: aheadMs.get(new URL(url).origin) }));
      const told = asked.find(({ ms }) => ms !== undefined);
      if (told?.ms !== undefined) return describe(told.who, told.ms);
      return warning("The clock could not be checked: nobody told the time. Compare it with another machine's.");
    },
  };
}

/** A page from a cache has an old date. The header has whole seconds, cut off. */
function measureAhead(headers: Record<string, string | string[] | undefined>, at: number): number | undefined {
  const date = Date.parse(String(headers.date));
  return Number.isNaN(date) || headers.age !== undefined ? undefined : at - (date + 500);
}

function describe(who: string, aheadMs: number): Finding {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  if (Math.abs(aheadMs) < MAX_OFF_MS)
    return ok(`The clock is right: at most ${seconds + 1} s off from that of ${who}.`);
  return error(
    `This machine's clock is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} that of ${who}. Requests of Slack that are five minutes off are refused, and so are sign-ins. Set it, and let the machine keep it with NTP.`,
  );
}
