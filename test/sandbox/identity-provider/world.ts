import type { TakeableFaultQueue } from '../loopback/fault-queue.ts';
import type { IdentityFault, IdentityFaultOptions } from './faults.ts';
import type { RecordingIdentityLedger, TokenRecord } from './ledger.ts';
import type { IdentitySettings, toPaths } from './options.ts';

/** Awaited after a token request was processed (a refresh token is spent), before it is answered. */
export type TokenHook = (record: TokenRecord) => Promise<void> | void;

/** Everything one identity provider holds beside oidc-provider itself. */
export type IdentityWorld = {
  readonly settings: IdentitySettings;
  readonly paths: ReturnType<typeof toPaths>;
  readonly ledger: RecordingIdentityLedger;
  readonly faults: TakeableFaultQueue<IdentityFault, IdentityFaultOptions>;
  readonly tokenHooks: Set<TokenHook>;
};
