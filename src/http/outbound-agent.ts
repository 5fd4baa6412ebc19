import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { ProxyError } from './http-errors.ts';

/** The variables of these names. */
export type ProxySettings = {
  HTTPS_PROXY?: string | undefined;
  NO_PROXY?: string | undefined;
};

/** How long a proxy may take to connect us, in ms: its own connection to the target included. */
const TUNNEL_TIMEOUT_MS = 5_000;

const OPTIONS = {
  connectTimeout: 3_000,
  connections: 512,
  // Below a gateway's usual idle limit, so that we do not write into a connection that it is closing.
  keepAliveTimeout: 4_000,
  // HTTP/2 would share one connection among all turns, and losing it would fail them all.
  allowH2: false,
};

/** To a proxy these names mean its own machine. */
const LOOPBACK = 'localhost,127.0.0.1,[::1]';

/**
 * Connections for all outbound requests, pooled per origin. With a proxy: CONNECT for https, and directly to the hosts of
 * NO_PROXY and to loopback, which alone has addresses with http.
 */
export function createOutboundAgent({ HTTPS_PROXY, NO_PROXY = '' }: ProxySettings = {}): Dispatcher {
  if (!HTTPS_PROXY) return new Agent({ ...OPTIONS });
  return new EnvHttpProxyAgent({
    ...OPTIONS,
    httpsProxy: HTTPS_PROXY,
    // An empty string, because undici reads the environment for what is undefined.
    httpProxy: '',
    noProxy: `${LOOPBACK},${NO_PROXY}`,
    clientFactory: createTunnels,
  });
}

/** Connections to a proxy. Its failures become ProxyError; undici has them in the text of other errors only. */
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
