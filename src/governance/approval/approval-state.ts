// What became of a request for approval, kept for longer than the request: whoever presses an old button is told.

/**
 * `asking`: kept, and the approver not known to be told of it yet. `withdrawn`: they could not be told of it. Epoch ms.
 */
export type ApprovalState = {
  kind: 'asking' | 'asked' | 'approved' | 'rejected' | 'withdrawn';
  at: number;
  expiresAt: number;
};

/** Port: of things that are kept for a while. A OnceStore is one. */
export type ApprovalStore = {
  /** `expiresAt`: epoch ms. */
  put(key: string, value: string, expiresAt: number): Promise<void>;
  /** Returns the value and removes it in one step. */
  take(key: string): Promise<string | undefined>;
  peek(key: string): Promise<string | undefined>;
};

/** Buttons stay in messages for ever; about requests that are older nothing is said but that they are over. */
const REMEMBERED_MS = 7 * 24 * 60 * 60 * 1000;

export function toApprovalKey(id: string): string {
  return `approval:${id}`;
}

export async function writeState(store: ApprovalStore, id: string, state: ApprovalState): Promise<void> {
  await store.put(`${toApprovalKey(id)}:state`, JSON.stringify(state), state.expiresAt + REMEMBERED_MS);
}

export async function readState(store: ApprovalStore, id: string): Promise<ApprovalState | undefined> {
  const text = await store.peek(`${toApprovalKey(id)}:state`);
  return text === undefined ? undefined : (JSON.parse(text) as ApprovalState);
}
