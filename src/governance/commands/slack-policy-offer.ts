// A policy that an administrator sends to the app without a command: offers what `/assistant-admin policy import` does.
import type { Question } from '../../conversation/question.ts';
import { buildSection, toMrkdwnName } from '../../slack/views/content.ts';
import { readPolicyFile, type SharedFile } from '../policy-documents/slack-policy-file.ts';
import type { GovernanceServices } from '../services.ts';
import { readRole } from '../shell/access.ts';
import { buildCommandButton } from '../shell/admin-shell.ts';

const YAML = /\.ya?ml$/i;

/** At the beginning of a line: of an exported policy, and of a register of an earlier release. */
const POLICY = /^(?:entries|environments)[ \t]*:/m;

type OfferServices = Pick<GovernanceServices, 'auditors' | 'lookups' | 'messenger' | 'readFile' | 'rules'>;

/**
 * False: it is no policy, or not for this person to import. Throws where Slack does not take the answer, or does not say
 * who they are.
 */
export async function offerImport(
  { asker, workspace, channel, threadTs }: Question,
  { id, name }: SharedFile,
  services: OfferServices,
): Promise<boolean> {
  const caller = { ...asker, workspace };
  if (!YAML.test(name) || (await readRole(caller, services)) !== 'admin') return false;
  const read = await readPolicyFile({ id, name }, caller, services);
  if ('sentence' in read || !POLICY.test(read.text)) return false;
  const text = `*${toMrkdwnName(name, 100)}* is a policy. You see what it changes before anything happens.`;
  const button = buildCommandButton('Look at it…', 'policy import', 0);
  const actions = button === undefined ? [] : [{ type: 'actions' as const, elements: [button] }];
  await services.messenger.post({ workspace, channel, threadTs }, { text, blocks: [buildSection(text), ...actions] });
  return true;
}
