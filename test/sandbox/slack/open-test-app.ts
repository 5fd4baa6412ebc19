/** The smallest thing that Slack could deliver to; it remembers what came. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { listen, stop } from './http-server.ts';

type AppRequest = { headers: IncomingHttpHeaders; body: string };

export type TestApp = {
  readonly url: string;
  readonly requests: AppRequest[];
  /** Undefined: the request is never answered. */
  answer: (request: AppRequest) => { status: number; body?: string; headers?: Record<string, string> } | undefined;
  close(): Promise<void>;
};

export async function openTestApp(): Promise<TestApp> {
  const requests: AppRequest[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      requests.push({ headers: request.headers, body });
      const answer = app.answer({ headers: request.headers, body });
      if (answer) response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  });
  const app: TestApp = {
    url: `${await listen(server, 0)}/slack/events`,
    requests,
    answer: () => ({ status: 200 }),
    close: () => stop(server),
  };
  return app;
}
