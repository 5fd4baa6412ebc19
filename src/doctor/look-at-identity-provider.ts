import type { Config } from '../config.ts';
import { BridgeError } from '../errors.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { ConfigurationFault } from '../identity/configuration-fault.ts';
import { probeSignIn, probeSlackClient } from '../identity/probe-sign-in.ts';
import type { ProbeFinding, ProbeSubject } from '../identity/verdict.ts';
import { toSignInValues } from '../wiring/connect-identity.ts';
import { error, type Finding, ok, warning } from './finding.ts';

/** Whether people can sign in, as far as the identity provider and Slack tell without a person. */
export async function lookAtIdentityProvider(config: Config, http: HttpClient): Promise<Finding[]> {
  try {
    return describe(config, await probeSignIn(toSignInValues(config), { http, now: Date.now }));
  } catch (cause) {
    if (!(cause instanceof BridgeError)) throw cause;
    return [warning(`Sign-in could not be checked: ${cause.message}`)];
  }
}

/** Whether Slack accepts the client that people prove with who they are. */
export async function lookAtSlackClient(config: Config, http: HttpClient): Promise<Finding[]> {
  const { slackClient, publicUrl } = toSignInValues(config);
  const verdict = await probeSlackClient({ ...slackClient, http }, publicUrl);
  return describe(config, [{ subject: 'slack_client', ...verdict }]);
}

function describe(config: Config, findings: ProbeFinding[]): Finding[] {
  return [...describeRight(config, findings), ...describeWrong(findings), ...describeUnchecked(config, findings)];
}

/** Which variables a look is about. */
function nameVariables({ AUTH_CLIENT_CERTIFICATE }: Config): Record<ProbeSubject, string> {
  return {
    issuer: 'AUTH_ISSUER',
    client: `AUTH_CLIENT_ID and ${AUTH_CLIENT_CERTIFICATE ? 'AUTH_CLIENT_CERTIFICATE' : 'AUTH_CLIENT_SECRET'}`,
    sign_in_page: 'ASSISTANT_SCOPE and the redirect address',
    admin_sign_in_page: 'ADMIN_SCOPE',
    slack_client: 'SLACK_CLIENT_ID and SLACK_CLIENT_SECRET',
  };
}

function describeRight(config: Config, findings: ProbeFinding[]): Finding[] {
  const isRight = (subject: ProbeSubject) => findings.some((one) => one.subject === subject && one.verdict === 'right');
  const variables = nameVariables(config);
  const right: Finding[] = [];
  if (isRight('issuer'))
    right.push(ok('The identity provider publishes the issuer that the app expects in id tokens.'));
  if (isRight('client')) right.push(ok(`The identity provider accepts ${variables.client}.`));
  const scopes = [
    ...(isRight('sign_in_page') ? ['ASSISTANT_SCOPE'] : []),
    ...(isRight('admin_sign_in_page') ? ['ADMIN_SCOPE'] : []),
  ];
  if (scopes.length > 0) {
    const limit = 'Some identity providers check the scope only after a person has signed in: try it once.';
    right.push(ok(`The identity provider opens its sign-in page for ${scopes.join(' and ')}.`, [limit]));
  }
  if (isRight('slack_client')) right.push(ok(`Slack accepts ${variables.slack_client}.`));
  return right;
}

function describeWrong(findings: ProbeFinding[]): Finding[] {
  const faults = findings.flatMap((finding) => (finding.verdict === 'wrong' ? [finding.fault] : []));
  return faults.map((fault) => ({ ...error(describeFault(fault)), variable: fault.variable }));
}

function describeFault(fault: ConfigurationFault): string {
  const { variable, expected, found } = fault;
  if (expected !== undefined) {
    return `${variable} is wrong: the app expects ${expected}, and the identity provider says ${found}. Set ${variable} to what it says, if AUTH_URL and AUTH_TENANT_ID are right.`;
  }
  const who = fault.slackError ? 'Slack' : 'The identity provider';
  const whom = variable === 'ADMIN_SCOPE' ? 'no administrator' : 'nobody';
  return `${who} refuses ${variable} (${describeRefusal(fault)}): ${whom} can sign in. ${adviseOn(variable)}`;
}

function describeRefusal({ slackError, providerError, providerCode, status }: ConfigurationFault): string {
  const said = [slackError, providerError, providerCode, status === undefined ? undefined : `status ${status}`];
  return said.filter((one) => one !== undefined).join(', ');
}

function adviseOn(variable: string): string {
  if (variable.startsWith('SLACK_')) return 'Copy it again from Basic Information, App Credentials.';
  if (variable === 'PUBLIC_URL') {
    return 'Register PUBLIC_URL followed by /link/account/callback as a redirect address there, and /link/slack/callback at Slack.';
  }
  return 'Compare it with the app registration there.';
}

/** One finding for each reason: an identity provider that is down is one trouble. */
function describeUnchecked(config: Config, findings: ProbeFinding[]): Finding[] {
  const variables = nameVariables(config);
  const unchecked = findings.filter((finding) => finding.verdict === 'unchecked');
  const isSilent = findings.every(
    (one) => one.subject === 'slack_client' || (one.verdict === 'unchecked' && one.variable === 'AUTH_URL'),
  );
  const groups = Map.groupBy(unchecked, ({ reason, variable }) => `${reason}.${variable ? ` Check ${variable}.` : ''}`);
  return [...groups].map(([reason, those]) => {
    const named = those.map(({ subject }) => variables[subject]).join(', ');
    const isAboutUrl = those.some(({ variable }) => variable === 'AUTH_URL');
    const describe = isSilent && isAboutUrl ? error : warning;
    return describe(`Could not be checked: ${named}. The reason: ${reason}`);
  });
}
