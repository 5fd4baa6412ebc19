import type { Config } from '../../config.ts';
import type { ConfigurationFault } from '../../identity/configuration-fault.ts';
import { type ProbeFinding, type ProbeSubject, probeSignIn, probeSlackClient } from '../../identity/probe-sign-in.ts';
import { toSignInValues } from '../../wiring/sign-in-values.ts';
import { type Check, type Finding, type Found, type Sight, speak, toList } from '../check.ts';

const { words, say } = speak({
  issuer: '✓ The identity provider publishes the issuer that the app expects in id tokens.',
  client: '✓ The identity provider accepts {variables}.',
  sign_in_page: '✓ The identity provider opens its sign-in page for ASSISTANT_SCOPE.',
  admin_sign_in_page: '✓ The identity provider opens its sign-in page for ADMIN_SCOPE.',
  slack_client: '✓ Slack accepts {variables}.',
  otherIssuer:
    '✗ {variable} is wrong: the app expects {expected}, and the identity provider says {found}. If AUTH_URL and AUTH_TENANT_ID are right, set {variable} to that issuer.',
  refused: '✗ {who} refuses {variable} ({refusal}): {whom} can sign in. {advice}',
  unchecked: '! Could not be checked: {variables}. The reason: {reason}',
});

/** Whether people can sign in, as far as the identity provider shows without a person. */
export const SIGN_IN: Check = { name: 'Sign-in', section: 'Sign-in', words, look: lookAtProvider };

/** Whether Slack accepts the client of Sign in with Slack. */
export const SLACK_CLIENT: Check = { name: 'Sign in with Slack', section: 'Sign-in', words, look: lookAtSlackClient };

type Probing = Pick<Sight, 'config' | 'http'>;

/** Both checks. The app also runs them at its start. */
export async function lookAtSignIn(probing: Probing): Promise<Finding[]> {
  return toList(await Promise.all([lookAtProvider(probing), lookAtSlackClient(probing)]));
}

async function lookAtProvider({ config, http }: Probing): Promise<Found> {
  return describe(config, await probeSignIn(toSignInValues(config), http, Date.now));
}

async function lookAtSlackClient({ config, http }: Probing): Promise<Found> {
  return describe(config, [await probeSlackClient(toSignInValues(config), http)]);
}

function describe(config: Config, findings: ProbeFinding[]): Found {
  const variables = nameVariables(config);
  const judged = findings.map((finding): Finding | undefined => {
    if (finding.verdict === 'wrong') return describeFault(finding.fault);
    if (finding.verdict === 'unchecked') return undefined;
    const { subject } = finding;
    const right = say(subject, { variables: variables[subject] });
    return subject.endsWith('page') ? { ...right, details: [SCOPE_LIMIT] } : right;
  });
  return [judged, describeUnchecked(findings, variables)];
}

const SCOPE_LIMIT = 'Some identity providers check the scope only after a person has signed in: try it once.';

/** The variables of each check. */
function nameVariables({ AUTH_CLIENT_CERTIFICATE }: Config): Record<ProbeSubject, string> {
  return {
    issuer: 'AUTH_ISSUER',
    client: `AUTH_CLIENT_ID and ${AUTH_CLIENT_CERTIFICATE ? 'AUTH_CLIENT_CERTIFICATE' : 'AUTH_CLIENT_SECRET'}`,
    sign_in_page: 'ASSISTANT_SCOPE and the redirect address',
    admin_sign_in_page: 'ADMIN_SCOPE',
    slack_client: 'SLACK_CLIENT_ID and SLACK_CLIENT_SECRET',
  };
}

function describeFault({ variable, expected, found = '', ...refused }: ConfigurationFault): Finding {
  if (expected !== undefined) return { ...say('otherIssuer', { variable, expected, found }), variable };
  const { slackError, providerError, providerCode, status } = refused;
  const said = [slackError, providerError, providerCode, status === undefined ? undefined : `status ${status}`];
  const values = {
    who: slackError ? 'Slack' : 'The identity provider',
    variable,
    refusal: said.filter((one) => one !== undefined).join(', '),
    whom: variable === 'ADMIN_SCOPE' ? 'no administrator' : 'nobody',
    advice: adviseOn(variable),
  };
  return { ...say('refused', values), variable };
}

function adviseOn(variable: string): string {
  if (variable.startsWith('SLACK_')) return 'Copy it again from Basic Information, App Credentials.';
  if (variable === 'PUBLIC_URL') {
    return 'Register PUBLIC_URL followed by /link/account/callback as a redirect address there, and /link/slack/callback at Slack.';
  }
  return 'Compare it with the app registration there.';
}

/** One finding for each reason. If the identity provider is down, that is one error. */
function describeUnchecked(findings: ProbeFinding[], names: Record<ProbeSubject, string>): Finding[] {
  const unchecked = findings.filter((finding) => finding.verdict === 'unchecked');
  const isAway = unchecked.length === findings.length && unchecked.every(({ variable }) => variable === 'AUTH_URL');
  const groups = Map.groupBy(unchecked, ({ reason, variable }) => `${reason}.${variable ? ` Check ${variable}.` : ''}`);
  return [...groups].map(([reason, those]) => {
    const variables = those.map(({ subject }) => names[subject]).join(', ');
    return { ...say('unchecked', { variables, reason }), level: isAway ? 'error' : 'warning' };
  });
}
