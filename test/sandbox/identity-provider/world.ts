import type { TakeableFaultQueue } from '../loopback/fault-queue.ts';
import type { IdentityFault, IdentityFaultOptions } from './faults.ts';
import type { RecordingIdentityLedger } from './ledger.ts';
import type { IdentitySettings, toPaths } from './options.ts';

/** Everything one identity provider holds beside oidc-provider itself. */
export type IdentityWorld = {
  readonly settings: IdentitySettings;
  readonly paths: ReturnType<typeof toPaths>;
  readonly ledger: RecordingIdentityLedger;
  readonly faults: TakeableFaultQueue<IdentityFault, IdentityFaultOptions>;
};
