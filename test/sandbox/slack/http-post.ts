import { Agent, request } from 'node:http';

export type PostAnswer = { status: number; body: string; headers: Record<string, string | string[] | undefined> };
export type PostFailure = { error: 'http_timeout' | 'connection_failed' };

export type Post = {
  send(
    url: string,
    body: string,
    options: { headers: Record<string, string>; timeoutMs: number },
  ): Promise<PostAnswer | PostFailure>;
  close(): void;
};

/** Plain HTTP with kept connections: everything the sandbox calls is on this machine. */
export function createPost(): Post {
  const agent = new Agent({ keepAlive: true });
  return {
    close: () => agent.destroy(),
    send(url, body, options) {
      return new Promise((resolve) => {
        const headers = { ...options.headers, 'content-length': String(Buffer.byteLength(body)) };
        const outgoing = request(url, { method: 'POST', agent, headers }, (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('end', () => {
            clearTimeout(timer);
            const text = Buffer.concat(chunks).toString('utf8');
            resolve({ status: incoming.statusCode ?? 0, body: text, headers: incoming.headers });
          });
          incoming.on('error', () => fail('connection_failed'));
        });
        const fail = (error: PostFailure['error']) => {
          clearTimeout(timer);
          resolve({ error });
          outgoing.destroy();
        };
        const timer = setTimeout(() => fail('http_timeout'), options.timeoutMs);
        outgoing.on('error', () => fail('connection_failed'));
        outgoing.end(body);
      });
    },
  };
}
