import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { type ConnectionFault, readConnectionFault } from '../http/connection-fault.ts';
import { createHttpClient } from '../http/http-client.ts';
import type { ProxySettings } from '../http/outbound-agent.ts';
import { error, type Finding, ok, warning } from './finding.ts';

const TIMEOUT_MS = 8_000;

const DAY_MS = 24 * 3_600_000;

const SOON_DAYS = 14;

type Address = { who: string; variable: string; address: string };

/** Whether a connection to the address can be made, as the app makes it; nothing is asked of whoever answers there. */
export async function lookAtAddress({ who, variable, address }: Address, proxies: ProxySettings): Promise<Finding> {
  const { origin } = new URL(address);
  const name = `${who} at ${origin}`;
  const begunAt = performance.now();
  try {
    const { validTo } = await connect(origin, proxies);
    const ms = Math.round(performance.now() - begunAt);
    return validTo === undefined ? ok(`${name} answers in ${ms} ms.`) : describeCertificate(name, validTo, ms);
  } catch (cause) {
    return error(`${name} cannot be reached${describeConnectionFault(readConnectionFault(cause), variable)}`);
  }
}

/** The rest of a sentence that says what cannot be reached, and what to do. */
export function describeConnectionFault(fault: ConnectionFault | undefined, variable: string): string {
  if (!fault) return `. Check the network, and ${variable}.`;
  return fault.kind === 'network'
    ? ` (${fault.code}). ${fault.advice} Check ${variable}.`
    : ` (${variable}; ${fault.code}). ${fault.advice}`;
}

/** `validTo`: until when the certificate is good; undefined without TLS. */
type Connection = { validTo: string | undefined };

/** https://github.com/nodejs/undici/blob/main/docs/docs/api/DiagnosticsChannel.md#undiciclientconnected */
type Connected = { connectParams: { host: string; protocol: string }; socket: Socket };

const CONNECTED = 'undici:client:connected';

/** Begins a request and breaks it off before anything is sent. */
async function connect(origin: string, proxies: ProxySettings): Promise<Connection> {
  // A client of its own, without open connections.
  const http = createHttpClient({ proxies });
  const enough = new AbortController();
  let connection: Connection | undefined;
  const onConnected = (message: unknown) => {
    const { connectParams, socket } = message as Connected;
    if (`${connectParams.protocol}//${connectParams.host}` !== origin) return;
    connection = { validTo: socket instanceof TLSSocket ? socket.getPeerCertificate().valid_to : undefined };
    enough.abort();
  };
  subscribe(CONNECTED, onConnected);
  try {
    const request = { method: 'GET', url: origin, subject: 'doctor', signal: enough.signal } as const;
    await http.send({ ...request, totalTimeoutMs: TIMEOUT_MS });
  } catch (cause) {
    if (!connection) throw cause;
  } finally {
    unsubscribe(CONNECTED, onConnected);
    await http.close();
  }
  return connection ?? { validTo: undefined };
}

function describeCertificate(name: string, validTo: string, ms: number): Finding {
  const days = Math.floor((Date.parse(validTo) - Date.now()) / DAY_MS);
  return days < SOON_DAYS
    ? warning(`${name} answers in ${ms} ms, but its certificate is only good for ${days} more days.`)
    : ok(`${name} answers in ${ms} ms, with a certificate that is good for ${days} days.`);
}
