import type { ReviewStore } from '../../governance/review/review-store.ts';
import type { ReviewSchedule } from '../../governance/review/schedule/review-schedule.ts';
import type { Directory } from '../../identity/directory.ts';
import type { OnceStore } from '../../identity/once-store.ts';
import type { AdminPorts } from '../listeners/admin/admin-ports.ts';
import type { People } from '../people.ts';

/** A channel or a person. `team`: the installation's own id, which is the organisation's where it has the app as a whole. */
type Place = { team: string; id: string };

/** What the scheduled review may do. */
export type ScheduledReviewPorts = Pick<
  AdminPorts,
  | 'rules'
  | 'lookups'
  | 'openSession'
  | 'signInVariant'
  | 'changes'
  | 'readRegister'
  | 'overlay'
  | 'currency'
  | 'call'
  | 'findInstallation'
  | 'now'
  | 'log'
> & {
  schedule: ReviewSchedule;
  /** REVIEW_CHANNEL. */
  channel: Place;
  /** REVIEW_AS. */
  reviewer: Place;
  /** Of the channel: IANA. */
  timeZone: string;
  people: Pick<People, 'profile' | 'timeZoneSoon'>;
  channels: AdminPorts['channels'] & { look(workspace: string, channel: string): Promise<{ isMember: boolean }> };
  directory: Pick<Directory, 'find'>;
  reviews: ReviewStore;
  /** What outlives a run: see review-records.ts. */
  once: OnceStore;
  /** Waits so many ms; setTimeout unless a test has no time. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** One attempt at a run. */
export type Attempt = {
  /** Says stop where the process stops, where the lane was lost, and where it takes too long. */
  signal: AbortSignal;
  /** Rejects where the signal says stop. */
  wait(ms: number): Promise<void>;
  /** Whether the lane is still this replica's: once it is not, another one may be at the same. */
  isHeld(): boolean;
};
