import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen, type Place } from '../http/listen.ts';
import type { Metrics } from './metrics.ts';

export type OpsServer = {
  port: number;
  /** Closes every connection at once: a scrape may be lost. */
  close(): Promise<void>;
};

const LIMITS = { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 };

/**
 * `/metrics` on a port of its own, for Prometheus and not for the public. Throws a PermanentError with a sentence for
 * the operator if the port cannot be opened.
 */
export async function startOpsServer(place: Place, metrics: Pick<Metrics, 'read' | 'contentType'>): Promise<OpsServer> {
  const server = createServer(LIMITS, (request, response) => void answer(request, response, metrics));
  const setting = { port: 'OPS_PORT', host: 'OPS_HOST', alternative: 'another port, or to 0 for none' };
  const opened = await listen(server, place, setting);
  return {
    port: opened,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  { method, url = '/' }: IncomingMessage,
  response: ServerResponse,
  metrics: Pick<Metrics, 'read' | 'contentType'>,
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
