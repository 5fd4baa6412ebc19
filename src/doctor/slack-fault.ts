import type { ConnectionFault } from '../http/connection-fault.ts';
import { error, type Finding, warning } from './finding.ts';
import { describeConnectionFault } from './look-at-address.ts';

/** Slack's trouble, which is easily taken for a bad token; the app waits it out in the same way. */
export function describeFault(code: string, retryAfterSeconds: number | undefined): Finding {
  const says = 'This says nothing of the token: keep it.';
  if (code === 'ratelimited' || code === 'status 429') {
    const when = retryAfterSeconds === undefined ? 'in a minute' : `in ${retryAfterSeconds} s`;
    return warning(`Slack limits how often it may be asked (${code}). ${says} Look again ${when}.`);
  }
  return error(
    `Slack has a fault of its own (${code}). ${says} Look again in a few minutes; https://slack-status.com tells more.`,
  );
}

export function describeUnreachable(apiUrl: string, fault: ConnectionFault | undefined): Finding {
  return error(`Slack cannot be asked at ${apiUrl}${describeConnectionFault(fault, 'SLACK_API_URL')}`);
}
