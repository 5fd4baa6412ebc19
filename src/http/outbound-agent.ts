import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { ProxyError } from './http-errors.ts';

/** The environment variables with these names. */
export type ProxySettings = {
  HTTPS_PROXY?: string | undefined;
  NO_PROXY?: string | undefined;
};

/** How long a proxy may take to connect us to the target, in ms. */
const TUNNEL_TIMEOUT_MS = 5_000;

const OPTIONS = {
  connectTimeout: 3_000,
  connections: 512,
  // Below a gateway's usual idle limit, so that we do not write into a connection that it is closing.
  keepAliveTimeout: 4_000,
  // HTTP/2 would share one connection among all turns, and losing it would fail them all.
  allowH2: false,
};

/** For a proxy, these names mean its own machine. */
const LOOPBACK = 'localhost,127.0.0.1,[::1]';

/**
 * Connections for all outbound requests, pooled per origin. With a proxy, https uses CONNECT. Hosts in NO_PROXY and
 * loopback, the only one with http, are reached directly.
 */
export function createOutboundAgent({ HTTPS_PROXY, NO_PROXY = '' }: ProxySettings = {}): Dispatcher {
  if (!HTTPS_PROXY) return new Agent({ ...OPTIONS });
  return new EnvHttpProxyAgent({
    ...OPTIONS,
    httpsProxy: HTTPS_PROXY,
    // Not undefined: undici would read the environment.
    httpProxy: '',
    noProxy: `${LOOPBACK},${NO_PROXY}`,
    clientFactory: createTunnels,
  });
}

/** Connections to a proxy. Turns its failures into ProxyError: undici has them only in the text of other errors. */
function createTunnels(proxy: URL, options: object): Dispatcher {
  const pool = new Pool(proxy.origin, options);
  const connect = pool.connect.bind(pool) as (request: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData>;
  return Object.assign(pool, {
    async connect(request: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
      const signal = AbortSignal.timeout(TUNNEL_TIMEOUT_MS);
      const tunnel = await connect({ ...request, signal }).catch((cause: unknown) => {
        throw new ProxyError(proxy.host, undefined, { cause });
      });
      if (tunnel.statusCode === 200) return tunnel;
      tunnel.socket.on('error', () => undefined).destroy();
      throw new ProxyError(proxy.host, tunnel.statusCode);
    },
  });
}
