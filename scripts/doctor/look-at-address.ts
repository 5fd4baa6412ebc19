import { once } from 'node:events';
import { connect, isIP } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { error, type Finding, ok, warning } from './finding.ts';

const TIMEOUT_MS = 5_000;

const DAY_MS = 24 * 3_600_000;

const SOON_DAYS = 14;

type Address = { who: string; variable: string; address: string };

/** Whether a connection to the address can be made; nothing is asked of whoever answers there. */
export async function lookAtAddress({ who, variable, address }: Address): Promise<Finding> {
  const { protocol, hostname, port, origin } = new URL(address);
  const name = `${who} at ${origin}`;
  const host = hostname.replace(/^\[|\]$/g, '');
  const begunAt = performance.now();
  const socket =
    protocol === 'https:'
      ? connectTls({ host, port: Number(port) || 443, ...(isIP(host) ? {} : { servername: host }) })
      : connect(Number(port) || 80, host);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    await once(socket, protocol === 'https:' ? 'secureConnect' : 'connect', { signal });
    const ms = Math.round(performance.now() - begunAt);
    return 'getPeerCertificate' in socket ? describeCertificate(name, socket, ms) : ok(`${name} answers in ${ms} ms.`);
  } catch (cause) {
    const reason = signal.aborted ? `no answer within ${TIMEOUT_MS / 1000} s` : readCode(cause);
    return error(`${name} cannot be reached (${reason}). Check the network, and ${variable}.`);
  } finally {
    socket.on('error', () => undefined).destroy();
  }
}

function describeCertificate(name: string, socket: TLSSocket, ms: number): Finding {
  const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / DAY_MS);
  return days < SOON_DAYS
    ? warning(`${name} answers in ${ms} ms, but its certificate is only good for ${days} more days.`)
    : ok(`${name} answers in ${ms} ms, with a certificate that is good for ${days} days.`);
}

/** A code, not a message: those of proxies carry addresses with passwords. */
function readCode(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason';
}
