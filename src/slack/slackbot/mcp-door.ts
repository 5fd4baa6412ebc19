import type { IncomingMessage, ServerResponse } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';
import { TransientError } from '../../errors.ts';
import { parseJson } from '../../json.ts';
import type { IntakeWatch, Refusal } from '../intake-watch.ts';
import { type Refused, readSigned, refuse } from '../receiver.ts';
import type { Uses } from '../services.ts';
import { id } from '../slack-request.ts';
import { MAX_INPUT_LENGTH } from '../web/limits.ts';
import { askForSlackbot, type SlackbotPorts, type ToolQuestion, type ToolResponse } from './ask-for-slackbot.ts';

type Ports = SlackbotPorts & Uses<'log'> & { signingSecret: string; watch: Pick<IntakeWatch, 'refused'> };

/** Whom Slack asks for: https://docs.slack.dev/ai/slackbot-mcp-client. An unknown team is refused, not guessed. */
const identitySchema = z.object({
  slack: z.object({ user_id: id, team_id: id, enterprise_id: id.nullish() }),
});

const NO_IDENTITY = 'Slack did not say for whom it asks, so nothing was asked.';
const NOT_NOW = 'The assistant cannot take the question at the moment. Ask again in a minute.';
const FAILED = 'Something failed, and the question was not answered.';

/** How long a connection may be silent (ms). Longer than for other requests, because an answer takes time. */
const SILENT_MS = 70_000;

/**
 * Slack's own assistant calls the app here, as a client of the Model Context Protocol: one tool, no sessions. The requests
 * are signed like all others of Slack.
 */
export function createMcpDoor(ports: Ports) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const read = await readSigned(ports.signingSecret, request);
    if ('reason' in read) return turnAway(read, response, ports);
    const body = parseJson(read.rawBody.toString());
    // The protocol has no batches any more: one signature would let all calls of a batch through.
    if (body === undefined || Array.isArray(body)) return turnAway({ status: 400, reason: 'payload' }, response, ports);
    response.setTimeout(SILENT_MS);
    const server = createToolServer(ports);
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    response.once('close', () => void server.close());
    await server.connect(transport);
    await transport.handleRequest(request, response, body);
  };
}

const WHY: Partial<Record<Refusal, string>> = {
  no_signature: 'The request is not signed by Slack.',
  signature: 'The signature is not that of this app.',
  stale: 'The signature is older than five minutes, or the clocks differ.',
  method: 'The request has to be a POST.',
  payload: 'The body is not JSON.',
};

function turnAway(refused: Refused, response: ServerResponse, { watch }: Ports): void {
  watch.refused(refused.reason);
  const message = WHY[refused.reason] ?? 'The body cannot be read.';
  refuse(response, refused, { jsonrpc: '2.0', id: null, error: { code: -32_600, message } });
}

function createToolServer(ports: Ports): McpServer {
  const server = new McpServer({ name: 'assistant', version: '1.0.0' });
  const tool = {
    title: 'Ask the enterprise assistant',
    description:
      'Asks the enterprise assistant one question, which has to be complete in itself. It answers from the documents, mails, calendars and people of the organisation that the person who asks has access to, and from the web. It takes up to a minute, changes nothing, and answers with its sources.',
    inputSchema: {
      question: z
        .string()
        .trim()
        .min(1)
        .max(MAX_INPUT_LENGTH)
        .describe('The whole question, in the words of the person'),
      web_search: z.boolean().default(true).describe('False: answer without searching the web'),
    },
    annotations: { readOnlyHint: true, openWorldHint: true },
    _meta: { slack: { supportsBlockKit: true } },
  };
  server.registerTool('ask_assistant', tool, async ({ question, web_search: webSearch }, { _meta, signal }) => {
    const { data } = identitySchema.safeParse(_meta);
    const response = data
      ? await ask(data.slack, { question, webSearch }, ports, signal)
      : { text: NO_IDENTITY, blocks: [], isError: true };
    return {
      content: [{ type: 'text', text: response.text }],
      ...(response.blocks.length > 0 && { _meta: { slack: { blocks: response.blocks } } }),
      ...(response.isError && { isError: true }),
    };
  });
  return server;
}

type Identity = z.infer<typeof identitySchema>['slack'];

async function ask(identity: Identity, asked: ToolQuestion, ports: Ports, signal: AbortSignal): Promise<ToolResponse> {
  const { user_id: user, team_id: workspace, enterprise_id: enterprise } = identity;
  try {
    return await askForSlackbot({ user, workspace, enterprise: enterprise ?? undefined }, asked, ports, signal);
  } catch (error) {
    ports.log.warn({ err: error }, 'question of slackbot not taken');
    return { text: error instanceof TransientError ? NOT_NOW : FAILED, blocks: [], isError: true };
  }
}
