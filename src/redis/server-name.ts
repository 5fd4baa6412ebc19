import { isIP } from 'node:net';

type TlsOptions = { tls: true; servername: string };

/** For `rediss:`. Managed Redis services route connections by the server name, and node-redis sends none. */
export function toServerName(url: string): TlsOptions | undefined {
  const { protocol, hostname } = new URL(url);
  const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
  return protocol === 'rediss:' && isName ? { tls: true, servername: hostname } : undefined;
}
