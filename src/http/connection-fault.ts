import { createFaultLog } from '../fault-log.ts';
import type { Log } from '../log.ts';
import { adviseOnCertificate, findErrorCode } from '../tls-fault.ts';
import { NotSentError, ProxyError } from './http-errors.ts';

/** Why a connection was not made, for operators. */
export type ConnectionFault = {
  kind: 'network' | 'certificate' | 'proxy';
  /** Node's error code, such as `CERT_HAS_EXPIRED` or `ENOTFOUND`, or the status of the proxy, such as `407`. */
  code: string;
  /** Host and port of the proxy that fails. */
  proxy?: string;
  /** What to do, in whole sentences. */
  advice: string;
};

const UNREACHABLE =
  'Check the network. If requests have to go through a proxy, set HTTPS_PROXY, and leave the host out of NO_PROXY.';

/** Undefined if the error is not about the connection, or nothing was tried because the circuit breaker is open. */
export function readConnectionFault(error: unknown): ConnectionFault | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof ProxyError) return toProxyFault(at);
    if (!(at instanceof NotSentError) || at.cause === undefined || at.cause instanceof ProxyError) continue;
    const code = findErrorCode(at.cause) || 'unknown';
    const advice = adviseOnCertificate(code);
    return advice ? { kind: 'certificate', code, advice } : { kind: 'network', code, advice: UNREACHABLE };
  }
  return undefined;
}

function toProxyFault({ proxy, status, cause }: ProxyError): ConnectionFault {
  const code = status === undefined ? findErrorCode(cause) || 'unknown' : String(status);
  const says = status === undefined ? `cannot be used (${code})` : `answers ${code}`;
  return { kind: 'proxy', code, proxy, advice: `The proxy at ${proxy} ${says}. ${adviseOnProxy(code, status)}` };
}

function adviseOnProxy(code: string, status: number | undefined): string {
  if (status === undefined) {
    return (
      adviseOnCertificate(code) ??
      'Check the address in HTTPS_PROXY. It begins with http:// unless the proxy itself speaks TLS.'
    );
  }
  if (status === 407) {
    return 'It asks for a user and a password, or refuses those given: in HTTPS_PROXY they come before the host, as user:password@, with special characters percent-encoded.';
  }
  if (status >= 500) return 'It cannot reach the host. See its log, and check that it can resolve the name.';
  return 'It does not allow this host. Allow the host there, or add it to NO_PROXY if it can be reached directly.';
}

const SAY_EVERY_MS = 60_000;

/** Logs each fault of an origin once a minute. */
export function createConnectionLog(log: Log): (origin: string, fault: ConnectionFault) => void {
  const logFault = createFaultLog(log, 'no connection', { everyMs: SAY_EVERY_MS });
  return (origin, fault) => {
    // Plain http is only for loopback, where no network is in between: a local service is just not running.
    if (fault.kind === 'network' && origin.startsWith('http:')) return;
    logFault(`${origin} ${fault.proxy} ${fault.code}`, { origin, ...fault });
  };
}
