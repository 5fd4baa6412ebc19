import type { Directory } from '../../identity/directory.ts';
import type { OnceStore } from '../../identity/once-store.ts';
import type { Channels } from '../../slack/channels.ts';
import type { Messenger } from '../../slack/messenger.ts';
import type { People } from '../../slack/people.ts';
import type { Wait } from '../../slack/scheduled-review/attempt.ts';
import type { CallSlack } from '../../slack/web/methods.ts';
import type { ChangeStore } from '../changes/change.ts';
import type { ApprovedSources } from '../review/approved-state.ts';
import type { ReviewStore } from '../review/review-store.ts';
import type { AdmitPorts } from '../shell/access.ts';
import type { FailurePorts } from '../shell/failure-message.ts';
import type { ReviewSchedule } from './review-schedule.ts';

/** A channel or a person. `team`: the installation's own id, which is the organisation's where it has the app as a whole. */
type Place = { team: string; id: string };

/** What the scheduled review may do. */
export type ScheduledReviewPorts = ApprovedSources &
  FailurePorts &
  Pick<AdmitPorts, 'rules' | 'lookups' | 'openSession' | 'findInstallation'> & {
    changes: Pick<ChangeStore, 'lastSet'>;
    /** The credit currency that agents use. */
    currency: string;
    call: CallSlack;
    messenger: Messenger;
    now: () => number;
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
