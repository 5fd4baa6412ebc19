// What crossed the wire between the app and the sandbox, from the ledgers of its four parts.
import type { TokenRecord } from '../../identity-provider/ledger.ts';
import type { LedgerEntry } from '../../loopback/ledger.ts';
import type { Sandbox } from '../../sandbox.ts';
import type { Ledger } from '../../slack/ledger.ts';
import { maskSecrets } from './mask-secrets.ts';

type Party = 'assistant' | 'identity' | 'admin' | 'slack';

export type Exchange = {
  /** Unique and stable while the world runs. */
  readonly id: string;
  readonly party: Party;
  /** Who asked: the app, or Slack where it delivers an event. */
  readonly from: 'app' | 'slack';
  /** Epoch ms. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** Undefined while open, and where the connection was cut. */
  readonly status: number | undefined;
  /** Undefined while open. */
  readonly ms: number | undefined;
};

export type Bodies = { readonly request: unknown; readonly response: unknown };

type Recorded = Exchange & { readonly bodies: Bodies };

/** The newest first. */
export function listTraffic(world: Sandbox, limit: number): Exchange[] {
  return readAll(world)
    .toSorted((a, b) => b.at - a.at || b.id.localeCompare(a.id, 'en', { numeric: true }))
    .slice(0, limit)
    .map(({ bodies: _, ...exchange }) => exchange);
}

/** What was sent and answered, secrets masked; undefined where there is no such exchange. */
export function readBodies(world: Sandbox, id: string): Bodies | undefined {
  const found = readAll(world).find((exchange) => exchange.id === id);
  return found && (maskSecrets(found.bodies) as Bodies);
}

function readAll(world: Sandbox): Recorded[] {
  const { assistant, admin, identityProvider, slack } = world;
  return [
    ...assistant.ledger.requests.map((entry, index) => fromEntry('assistant', entry, index)),
    ...admin.ledger.requests.map((entry, index) => fromEntry('admin', entry, index)),
    ...identityProvider.ledger.tokenRequests.map((record, index) => fromToken(record, index, identityProvider.tenant)),
    ...slack.ledger.all().map(fromSlack),
  ];
}

function fromEntry(party: 'assistant' | 'admin', entry: LedgerEntry, index: number): Recorded {
  const { at, method, status, closedAt, body, answer } = entry;
  const query = new URLSearchParams(entry.query).toString();
  return {
    ...{ id: `${party}-${index}`, party, from: 'app', at, method, status, ms: closedAt && closedAt - at },
    path: query ? `${entry.path}?${query}` : entry.path,
    bodies: { request: body, response: answer },
  };
}

function fromToken(record: TokenRecord, index: number, tenant: string): Recorded {
  const { at, closedAt, sentStatus, status: _, ...request } = record;
  return {
    ...{ id: `identity-${index}`, party: 'identity', from: 'app', at, method: 'POST' },
    path: `/${tenant}/oauth2/v2.0/token`,
    status: sentStatus,
    ms: closedAt && closedAt - at,
    bodies: { request, response: undefined },
  };
}

function fromSlack(record: ReturnType<Ledger['all']>[number]): Recorded {
  const { at, sequence, status, ms } = record;
  const common = { id: `slack-${sequence}`, party: 'slack', at, status, ms } as const;
  if (record.kind === 'call') {
    const bodies = { request: record.arguments, response: record.response };
    return { ...common, from: 'app', method: 'POST', path: `/api/${record.method}`, bodies };
  }
  const path = `${record.delivery}: ${record.type}${record.attempt > 1 ? `, attempt ${record.attempt}` : ''}`;
  const bodies = { request: record.payload, response: record.error ?? record.reply };
  return { ...common, from: 'slack', method: 'POST', path, bodies };
}
