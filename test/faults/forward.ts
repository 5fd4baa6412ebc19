import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

export type Delivery = { method: string; path: string; headers: IncomingHttpHeaders; body: Buffer };

export type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** Undefined where the other side hung up before all of it was here. */
export async function readDelivery(incoming: IncomingMessage): Promise<Delivery | undefined> {
  const body = await readBody(incoming).catch(() => undefined);
  const { method = 'GET', url: path = '/', headers } = incoming;
  return body && { method, path, headers, body };
}

/** Sends a request on. Rejects where nobody listens, the connection is cut, or no answer comes in time. */
export function forward(agent: Agent, port: number, delivery: Delivery, timeoutMs: number): Promise<Answer> {
  const { method, path, body } = delivery;
  const headers = { ...toOwnHeaders(delivery.headers), 'content-length': String(body.length) };
  return new Promise((resolve, reject) => {
    const outgoing = request({ agent, host: '127.0.0.1', port, method, path, headers }, (incoming) => {
      readBody(incoming).then(
        (answer) =>
          resolve({ status: incoming.statusCode ?? 0, headers: toOwnHeaders(incoming.headers), body: answer }),
        reject,
      );
    });
    outgoing.setTimeout(timeoutMs, () => outgoing.destroy(new Error('no answer in time')));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Those of one connection do not concern the other. */
function toOwnHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...rest } = headers;
  return rest;
}
