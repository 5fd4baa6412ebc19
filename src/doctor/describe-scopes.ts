import { BOT_SCOPES } from '../slack/installations/bot-scopes.ts';
import { error, type Finding, ok, warning } from './finding.ts';

/** What a token may do, against what the manifest asks for. */
export type ScopeDifference = { missing: string[]; superfluous: string[] };

/** Without these only one thing each does not work: see bot-scopes.ts. */
const FOR_ONE_THING = ['files:read', 'files:write', 'usergroups:read', 'users:read.email'];

/** Undefined: Slack does not tell the scopes. */
export function compareScopes(header: string | null): ScopeDifference | undefined {
  if (header === null) return undefined;
  const granted = header.split(',').map((scope) => scope.trim());
  return {
    missing: BOT_SCOPES.filter((scope) => !granted.includes(scope)),
    superfluous: granted.filter((scope) => scope !== '' && !BOT_SCOPES.includes(scope)),
  };
}

/** `subject`: whose scopes they are, as a sentence begins. `reinstall`: how the new ones are granted. */
export function describeScopes(
  { missing, superfluous }: ScopeDifference,
  { subject, reinstall, publicUrl }: { subject: string; reinstall: string; publicUrl: string },
): Finding[] {
  const manifest = `Paste what \`npm run --silent manifest -- ${publicUrl}\` prints under App Manifest, save it, and ${reinstall}.`;
  const describeMissing = missing.every((scope) => FOR_ONE_THING.includes(scope)) ? warning : error;
  return [
    ...(missing.length > 0 ? [describeMissing(`${subject} lacks ${missing.join(', ')}. ${manifest}`)] : []),
    ...(superfluous.length > 0
      ? [
          ok(
            `${subject} also has ${superfluous.join(', ')}, which is not used. To grant less, remove it under OAuth & Permissions → Scopes, and ${reinstall}.`,
          ),
        ]
      : []),
  ];
}
