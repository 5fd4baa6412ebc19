import type { ReviewStore } from '../../governance/review/review-store.ts';
import type { ReviewSchedule } from '../../governance/review/schedule/review-schedule.ts';
import type { Directory } from '../../identity/directory.ts';
import type { OnceStore } from '../../identity/once-store.ts';
import type { Channels } from '../channels.ts';
import type { AdminPorts } from '../listeners/admin/admin-ports.ts';
import type { People } from '../people.ts';
import type { Wait } from './attempt.ts';

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
  people: Pick<People, 'profile'>;
  channels: Pick<Channels, 'look' | 'directMessage'>;
  directory: Pick<Directory, 'find'>;
  reviews: ReviewStore;
  /** What outlives a run: see review-records.ts. */
  once: OnceStore;
  /** setTimeout unless a test has no time. */
  wait?: Wait;
};
