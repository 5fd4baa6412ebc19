// What was decided about a finding, told to the admin who did.
import type { OverlayRecord } from '../../../../governance/register/overlay.ts';
import {
  CLASSIFICATIONS,
  describeApproved,
  describeFinding,
  formatLastDay,
} from '../../../../governance/review/decided-views.ts';
import type { Finding } from '../../../../governance/review/finding.ts';
import { buildLines, fitLines } from '../../../../governance/shell/blocks.ts';
import type { Content } from '../../content.ts';
import { fitBlocks } from '../../fit-blocks.ts';
import { describeDifference, describePerson } from '../review/words.ts';

const WHERE =
  "It counts from the next review on. The register's file is not changed: `/assistant-admin review export` gives you its text with this in it.";

const AGAIN = 'This was decided before, and is recorded once.';

/** `text` alone says it, too. */
export function buildDecided(record: OverlayRecord, finding: Finding, environmentName: string | undefined): Content {
  const [headline, ...details] = describe(record, finding, describeFinding(finding, environmentName));
  return { text: headline, blocks: fitBlocks(buildLines([headline, ...details, WHERE])) };
}

export function buildDecidedBefore(): Content {
  return { text: AGAIN, blocks: buildLines([AGAIN]) };
}

function describe(record: OverlayRecord, finding: Finding, name: string): [string, ...string[]] {
  switch (record.kind) {
    case 'exception': {
      const isAccepted = ({ setting, currency, found }: Finding['differences'][number]) =>
        record.accepts.some((one) => one.setting === setting && one.currency === currency && one.value === found);
      const accepted = finding.differences.filter(isAccepted).map((one) => `• ${describeDifference(one)}`);
      const until = formatLastDay(record.expiresOn);
      return [
        `:white_check_mark: *Accepted* until ${until}: the drift of ${name} is an approved exception.`,
        ...(accepted.length === 0 ? [] : [fitLines(accepted)]),
      ];
    }
    case 'classification': {
      const use = CLASSIFICATIONS[record.classification].toLowerCase();
      const owners = record.owners.map(describePerson).join(', ');
      return [
        `:white_check_mark: *Classified*: ${name} is ${use}.`,
        owners === '' ? 'No owners are named.' : `Owners: ${owners}`,
      ];
    }
    case 'agent_limit':
      return [`:white_check_mark: *Approved* for ${name}: ${describeApproved(record.limit)}.`];
  }
}
