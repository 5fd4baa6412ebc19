// What administrators and auditors find on their home tab: the state of the last review, and the commands as buttons.
import type { AnyBlock } from '@slack/types';
import { buildPlainText } from '../../slack/views/content.ts';
import type { GovernanceServices } from '../services.ts';
import { type Role, readRole } from '../shell/access.ts';
import type { Caller } from '../shell/admin-rules.ts';
import { buildCommandButton } from '../shell/admin-shell.ts';

type Buttons = readonly (readonly [label: string, command: string])[];

const READING: Buttons = [
  ['Review', 'review'],
  ['Agents', 'agents'],
  ['Environments', 'environments'],
  ['Policy', 'policy'],
  ['Log', 'log'],
];

const THIS_APP: Buttons = [
  ['Rules of channels', 'rules'],
  ['Pause…', 'pause'],
  ['Insights', 'insights'],
  ['Doctor', 'doctor'],
];

/**
 * None for anybody else. `readReview`: the state of the scheduled review, with a heading. Rejects where Slack or the store
 * cannot be asked.
 */
export async function buildAdminHome(
  caller: Caller,
  services: Pick<GovernanceServices, 'rules' | 'auditors' | 'lookups' | 'hasInterface'>,
  readReview: () => Promise<readonly AnyBlock[]>,
): Promise<AnyBlock[]> {
  const role = await readRole(caller, services);
  if (role === undefined) return [];
  const review = services.hasInterface ? await readReview() : [HEADING];
  return buildHomeOf(role, review, services);
}

const HEADING: AnyBlock = { type: 'header', text: buildPlainText('Administration') };

function buildHomeOf(
  role: Role,
  review: readonly AnyBlock[],
  { hasInterface }: Pick<GovernanceServices, 'hasInterface'>,
): AnyBlock[] {
  const reading = READING.filter(([, command]) => hasInterface || command === 'log');
  const own = role === 'admin' ? [buildRow(THIS_APP, READING.length)] : [];
  return [...review, buildRow(reading, 0), ...own];
}

function buildRow(buttons: Buttons, first: number): AnyBlock {
  const elements = buttons.flatMap(([label, command], nth) => buildCommandButton(label, command, first + nth) ?? []);
  return { type: 'actions', elements };
}
