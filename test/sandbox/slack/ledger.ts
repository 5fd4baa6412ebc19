/** Everything that crossed the wire, in order. */
import type { Json } from './records.ts';
import type { Signal } from './signal.ts';

type CallRecord = {
  kind: 'call';
  sequence: number;
  method: string;
  /** The team or enterprise whose bot token came with it, if any. */
  installedIn: string | undefined;
  arguments: Json;
  /** Epoch ms at arrival. */
  at: number;
  /** Missing until answered, and where the connection was cut. */
  response?: Json;
  status?: number;
  ms?: number;
};

export type DeliveryKind = 'event' | 'command' | 'interaction' | 'url_verification' | 'mcp' | 'raw';

type DeliveryRecord = {
  kind: 'delivery';
  sequence: number;
  delivery: DeliveryKind;
  /** The event type, the command, or the interaction type. */
  type: string;
  /** The event id, or the trigger id. */
  payloadId: string;
  payload: Json | string;
  /** 1 for the first try. */
  attempt: number;
  at: number;
  /** Missing while under way, and where no answer came. */
  status?: number;
  error?: 'http_timeout' | 'connection_failed';
  reply?: string;
  ms?: number;
};

type LedgerRecord = CallRecord | DeliveryRecord;

export type LedgerMode = 'on' | 'off' | { keep: number };

export type Ledger = {
  all(): readonly LedgerRecord[];
  calls(method?: string): CallRecord[];
  lastCall(method: string): CallRecord | undefined;
  deliveries(filter?: { delivery?: DeliveryKind; type?: string; payloadId?: string }): DeliveryRecord[];
  clear(): void;
};

export type LedgerWriter = Ledger & {
  startCall(method: string, args: Json, installedIn?: string): CallRecord;
  startDelivery(entry: Omit<DeliveryRecord, 'kind' | 'sequence' | 'at'>): DeliveryRecord;
  /** Call after completing a record, so that waiting tests look again. */
  finished(): void;
};

export function createLedger(mode: LedgerMode, changed: Signal): LedgerWriter {
  let records: LedgerRecord[] = [];
  let sequence = 0;
  const keep = mode === 'on' ? Number.POSITIVE_INFINITY : mode === 'off' ? 0 : mode.keep;

  function add<R extends LedgerRecord>(record: R): R {
    if (keep > 0) records.push(record);
    if (records.length > keep * 2) records = records.slice(-keep);
    changed.notify();
    return record;
  }

  return {
    all: () => records,
    calls: (method) =>
      records.filter(
        (record) => record.kind === 'call' && (method === undefined || record.method === method),
      ) as CallRecord[],
    lastCall: (method) =>
      records.findLast((record) => record.kind === 'call' && record.method === method) as CallRecord | undefined,
    deliveries: (filter = {}) =>
      records.filter((record) => record.kind === 'delivery' && matches(record, filter)) as DeliveryRecord[],
    clear() {
      records = [];
    },
    startCall: (method, args, installedIn) =>
      add({ kind: 'call', sequence: ++sequence, method, installedIn, arguments: args, at: Date.now() }),
    startDelivery: (entry) => add({ kind: 'delivery', sequence: ++sequence, at: Date.now(), ...entry }),
    finished: changed.notify,
  };
}

function matches(
  record: DeliveryRecord,
  filter: { delivery?: DeliveryKind; type?: string; payloadId?: string },
): boolean {
  return (
    (filter.delivery === undefined || record.delivery === filter.delivery) &&
    (filter.type === undefined || record.type === filter.type) &&
    (filter.payloadId === undefined || record.payloadId === filter.payloadId)
  );
}
