import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Address, type BoundedServer, type Bounds, startBoundedServer } from '../http/bounded-server.ts';
import type { Metrics } from './metrics.ts';

/** For Prometheus and one or two operators. An answer has about a hundred KB. The store gets one request at a time. */
const BOUNDS: Bounds = { max: 50, full: 40, idleMs: 30_000 };

type MetricsText = Pick<Metrics, 'read' | 'contentType'>;

/**
 * `/metrics` on a port of its own, for Prometheus and not for the public. Throws a PermanentError with a sentence for
 * the operator if the port cannot be opened.
 */
export function startOpsServer(address: Address, metrics: MetricsText): Promise<BoundedServer> {
  return startBoundedServer({
    address,
    setting: { port: 'OPS_PORT', host: 'OPS_HOST', alternative: 'another port, or to 0 for none' },
    bounds: BOUNDS,
    handle: (request, response) => void answer(request, response, metrics),
  });
}

async function answer(
  { method, url = '/' }: IncomingMessage,
  response: ServerResponse,
  metrics: MetricsText,
): Promise<void> {
  if (url.split('?', 1)[0] !== '/metrics') return void response.writeHead(404).end();
  if (method !== 'GET' && method !== 'HEAD') return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
  try {
    const text = await metrics.read();
    response.writeHead(200, { 'content-type': metrics.contentType }).end(text);
  } catch {
    response.writeHead(500).end();
  }
}
