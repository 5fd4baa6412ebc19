import { BridgeError } from '../errors.ts';
import { type ConfigurationFault, faultOf } from './configuration-fault.ts';
import { IdentityProviderUnavailableError, toSilence } from './identity-errors.ts';

/**
 * The result of checking a value. `unchecked`: the check was not possible, for `reason`; `variable`: what to check
 * first, if known.
 */
export type Verdict =
  | { verdict: 'right' }
  | { verdict: 'wrong'; fault: ConfigurationFault }
  | { verdict: 'unchecked'; reason: string; variable?: string };

export function toVerdict(error: unknown): Verdict {
  const fault = faultOf(error);
  if (fault) return { verdict: 'wrong', fault };
  if (!(error instanceof BridgeError)) return unchecked('an unexpected error');
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  const isAway = error instanceof IdentityProviderUnavailableError;
  return { ...unchecked(error.message + cause), ...(isAway && { variable: 'AUTH_URL' }) };
}

/** A request without a response. */
export function unreachable(error: unknown): Verdict {
  return toVerdict(new IdentityProviderUnavailableError(toSilence(error)));
}

export function unchecked(reason: string): Verdict & { verdict: 'unchecked' } {
  return { verdict: 'unchecked', reason };
}

export type ProbeSubject = 'issuer' | 'client' | 'sign_in_page' | 'admin_sign_in_page' | 'slack_client';

export type ProbeFinding = { subject: ProbeSubject } & Verdict;

/** If the identity provider accepts the client, these variables are right. */
const PROVED_BY_CLIENT = new Set(['AUTH_CLIENT_ID', 'AUTH_TENANT_ID', 'AUTH_URL']);

/** Drops faults that another finding contradicts, and reports each variable once. */
export function weighFindings(findings: ProbeFinding[]): ProbeFinding[] {
  const right = findings.filter(({ verdict }) => verdict === 'right');
  const isClientRight = right.some(({ subject }) => subject === 'client');
  const weighed = findings.map((finding) => {
    if (finding.verdict !== 'wrong') return finding;
    const { subject, fault } = finding;
    const isDoubtful = (right.length > 0 && restsOnStatus(fault)) || (isClientRight && isProvedByClient(fault));
    return isDoubtful ? { subject, ...toDoubt(fault) } : finding;
  });
  const seen = new Set<string>();
  return weighed.filter((finding) => {
    if (finding.verdict !== 'wrong') return true;
    const isNew = !seen.has(finding.fault.variable);
    seen.add(finding.fault.variable);
    return isNew;
  });
}

/** A status alone is weak evidence: a gateway may send it. Only 401 is specific: RFC 6749 section 5.2. */
function restsOnStatus({ status }: ConfigurationFault): boolean {
  return status !== undefined && status !== 401;
}

function isProvedByClient({ variable }: ConfigurationFault): boolean {
  return variable.split(' or ').every((name) => PROVED_BY_CLIENT.has(name));
}

function toDoubt({ variable, providerError, providerCode, status }: ConfigurationFault): Verdict {
  const said = providerError ?? providerCode ?? `status ${status}`;
  const reason = `the identity provider answers ${said} here, but takes the same values in another request`;
  return { ...unchecked(reason), variable };
}
