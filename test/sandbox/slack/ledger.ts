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

export type LedgerWriter = ReturnType<typeof createLedger>;
export type Ledger = Omit<LedgerWriter, 'startCall' | 'finishCall' | 'startDelivery' | 'finished'>;

type Filter = Partial<Pick<DeliveryRecord, 'delivery' | 'type' | 'payloadId'>>;

export function createLedger(mode: LedgerMode, changed: Signal) {
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
    all: (): readonly LedgerRecord[] => records,
    calls: (method?: string) =>
      records.filter(
        (record) => record.kind === 'call' && (method === undefined || record.method === method),
      ) as CallRecord[],
    deliveries: (filter: Filter = {}) =>
      records.filter((record) => record.kind === 'delivery' && matches(record, filter)) as DeliveryRecord[],
    clear(): void {
      records = [];
    },
    startCall: (method: string, args: Json, installedIn?: string) =>
      add<CallRecord>({ kind: 'call', sequence: ++sequence, method, installedIn, arguments: args, at: Date.now() }),
    startDelivery: (entry: Omit<DeliveryRecord, 'kind' | 'sequence' | 'at'>) =>
      add<DeliveryRecord>({ kind: 'delivery', sequence: ++sequence, at: Date.now(), ...entry }),
    finishCall(record: CallRecord, status: number, response: Json): void {
      Object.assign(record, { status, response, ms: Date.now() - record.at });
      changed.notify();
    },
    /** Call after completing a record, so that waiting tests look again. */
    finished: changed.notify,
  };
}

function matches(record: DeliveryRecord, filter: Filter): boolean {
  return (
    (filter.delivery === undefined || record.delivery === filter.delivery) &&
    (filter.type === undefined || record.type === filter.type) &&
    (filter.payloadId === undefined || record.payloadId === filter.payloadId)
  );
}
