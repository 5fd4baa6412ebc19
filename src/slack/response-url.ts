import type { HttpClient } from '../http/http-client.ts';
import type { Log } from '../log.ts';

/**
 * Posts to a `response_url`, five times within 30 minutes of the command or click that it came with. False where the
 * message did not arrive, which is logged without the address. Never throws.
 */
export type Respond = (responseUrl: string, message: object) => Promise<boolean>;

/** Bolt's own `respond` has no time-out. */
const TIMEOUT_MS = 10_000;

/** The addresses come with payloads, and travel through modals: nothing but Slack may be written to. */
const SLACK_ORIGINS = ['https://hooks.slack.com', 'https://hooks.slack-gov.com'];

export function createResponder({ http, apiUrl, log }: { http: HttpClient; apiUrl: string; log: Log }): Respond {
  const allowed = new Set([...SLACK_ORIGINS, new URL(apiUrl).origin]);

  return async (responseUrl, message) => {
    if (!URL.canParse(responseUrl) || !allowed.has(new URL(responseUrl).origin)) return false;
    try {
      const { status } = await http.send({
        method: 'POST',
        url: responseUrl,
        subject: 'response urls',
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify(message),
        totalTimeoutMs: TIMEOUT_MS,
      });
      if (status !== 200) log.warn({ status }, 'response url refused');
      return status === 200;
    } catch (error) {
      log.warn({ err: error }, 'response url not reached');
      return false;
    }
  };
}
