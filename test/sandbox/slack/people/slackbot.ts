/**
 * Slackbot, Slack's own assistant, as a client of the app's MCP server: https://docs.slack.dev/ai/slackbot-mcp-client. Each
 * request is signed as Slack's others are, stateless, and says in `_meta.slack` for whom it asks.
 */
import { checkMessage } from '../blocks/check-message.ts';
import type { DeliverOptions } from '../delivery.ts';
import { isObject } from '../json.ts';
import { withIds } from '../make-view.ts';
import type { Block, Channel, Json } from '../records.ts';
import type { Workspace } from '../workspace.ts';
import type { World } from '../world.ts';

export type SlackbotOptions = Pick<DeliverOptions, 'signature' | 'timestampOffsetSeconds'> & {
  /** Besides the question. */
  arguments?: Json;
  /** What Slack says about who asks, where that is not the truth; null: nothing. */
  identity?: Json | null;
  /** The address of another replica. */
  url?: string;
};

/** `status`: where the app refused the request as such. */
export type SlackbotAnswer =
  | { text: string; blocks: Block[]; isError: boolean; status: 200 }
  | { status: number | undefined; refusal: string };

/** MCP clients wait so long unless told otherwise. */
const TIMEOUT_MS = 60_000;

/** Slackbot looks what tools there are, and calls the one. Rejects where the app is none that it can ask. */
export async function askSlackbot(
  world: World,
  userId: string,
  question: string,
  options: SlackbotOptions = {},
): Promise<SlackbotAnswer> {
  const greeted = await send(
    world,
    'initialize',
    {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'slackbot', version: '1.0.0' },
    },
    options,
  );
  if ('refusal' in greeted) return greeted;
  const listed = await send(world, 'tools/list', {}, options);
  if ('refusal' in listed) return listed;
  const tool = readTool(listed.result);
  const { team } = world.workspace;
  const slack = options.identity ?? {
    user_id: userId,
    team_id: team.id,
    ...(team.enterprise && { enterprise_id: team.enterprise.id }),
  };
  const called = await send(
    world,
    'tools/call',
    {
      name: tool.name,
      arguments: { question, ...options.arguments },
      ...(options.identity !== null && { _meta: { slack } }),
    },
    options,
  );
  return 'refusal' in called ? called : readResult(called.result);
}

/** Of tools that write, Slackbot asks people before each call: this app's must not need that. */
function readTool(result: Json): { name: string } {
  const [tool, ...others] = Array.isArray(result.tools) ? result.tools.filter(isObject) : [];
  if (!tool || others.length > 0) throw new Error('The app has to offer one tool.');
  const { annotations, inputSchema, _meta } = tool;
  if (!isObject(annotations) || annotations.readOnlyHint !== true) throw new Error('The tool is not read-only.');
  if (!isObject(inputSchema) || inputSchema.type !== 'object') throw new Error('The tool has no schema of its input.');
  if (!isObject(_meta) || !isObject(_meta.slack) || _meta.slack.supportsBlockKit !== true) {
    throw new Error('The tool does not say that it answers with blocks.');
  }
  return { name: String(tool.name) };
}

function readResult(result: Json): SlackbotAnswer {
  const texts = Array.isArray(result.content) ? result.content.filter(isObject) : [];
  const text = texts.map((part) => String(part.text ?? '')).join('\n');
  if (text === '') throw new Error('The answer has no text for the model.');
  const slack = isObject(result._meta) && isObject(result._meta.slack) ? result._meta.slack : {};
  const blocks = (slack.blocks ?? []) as Block[];
  const refusal = checkMessage(blocks);
  if (refusal) throw new Error(`Slack shows no such blocks: ${refusal.error}. ${refusal.messages.join(' ')}`);
  return { text, blocks, isError: result.isError === true, status: 200 };
}

type Sent = { result: Json } | { status: number | undefined; refusal: string };

async function send(world: World, method: string, params: Json, options: SlackbotOptions): Promise<Sent> {
  const { registration, delivery, workspace } = world;
  const { mcpServer, scopes } = registration;
  if (!mcpServer || !scopes.has('mcp:connect') || !world.install())
    throw new Error('Slackbot knows no tool of the app.');
  if (mcpServer.authType !== 'slack_identity_auth')
    throw new Error(`Slackbot signs nothing for ${mcpServer.authType}.`);
  const { signature, timestampOffsetSeconds, url = mcpServer.url } = options;
  const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
  const sent = await delivery.send({
    kind: 'mcp',
    type: method,
    payloadId: workspace.identifiers.next('Mc'),
    // A client counts its requests from the beginning in each of its sessions.
    payload: { jsonrpc: '2.0', id: ['initialize', 'tools/list'].indexOf(method) + 1 || 3, method, params },
    options: {
      headers,
      retry: 'none',
      ...(signature && { signature }),
      ...(timestampOffsetSeconds !== undefined && { timestampOffsetSeconds }),
    },
    url,
    timeoutMs: TIMEOUT_MS,
  });
  if (!sent.ok) return { status: sent.status, refusal: sent.body || String(sent.error) };
  const answer = readAnswer(sent.body);
  if (!isObject(answer.result)) return { status: sent.status, refusal: JSON.stringify(answer.error) };
  return { result: answer.result };
}

/** As JSON, or as the one event of a stream. */
function readAnswer(body: string): Json {
  const data = /^data: (.+)$/m.exec(body)?.[1];
  const answer: unknown = JSON.parse(data ?? body);
  if (!isObject(answer) || answer.jsonrpc !== '2.0') throw new Error('The app did not answer in JSON-RPC.');
  return answer;
}

const SLACKBOT = { id: 'USLACKBOT', name: 'slackbot', realName: 'Slackbot', isBot: true };

/** Gives somebody a direct message with Slackbot, which asks the app whatever they write there. */
export function openSlackbot(workspace: Workspace, userId: string): Channel {
  if (!workspace.users.has(SLACKBOT.id)) workspace.addUser(SLACKBOT);
  const id = `D0SLACKBOT${userId.slice(2)}`;
  const members = [userId, SLACKBOT.id];
  return workspace.channels.get(id) ?? workspace.addChannel({ id, name: 'slackbot', kind: 'im', members });
}

export function isSlackbots({ members }: Channel): boolean {
  return members.has(SLACKBOT.id);
}

/** The real one has a model, which may write something else. This one passes on what it was told. */
export async function answerAsSlackbot(
  world: World,
  asker: string,
  to: { channel: string; text: string },
): Promise<void> {
  const { workspace } = world;
  const answer = await askSlackbot(world, asker, to.text).catch((error: unknown) => ({ refusal: String(error) }));
  const [text, blocks] =
    'refusal' in answer ? [`The app refuses it: ${answer.refusal}`, []] : [answer.text, answer.blocks];
  const plain: Block[] = [{ type: 'section', text: { type: 'plain_text', text: text.slice(0, 3_000) } }];
  workspace.messages.add({
    ...{ channel: to.channel, ts: workspace.identifiers.ts(), user: SLACKBOT.id, teamId: workspace.team.id },
    ...{ text, blocks: withIds(blocks.length > 0 ? blocks : plain), edits: 0 },
  });
}
