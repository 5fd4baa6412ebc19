import { probeSignIn } from '../identity/probe-sign-in.ts';
import type { Parts } from './parts.ts';
import { toSignInValues } from './sign-in-values.ts';

/** Logs each value of the configuration with which nobody can sign in, before somebody tries. Never rejects. */
export async function probeAtStart({ config, http, log, now }: Pick<Parts, 'config' | 'http' | 'log' | 'now'>) {
  try {
    const findings = await probeSignIn(toSignInValues(config), { http, now });
    for (const finding of findings) {
      const { subject } = finding;
      if (finding.verdict === 'wrong') log.error({ subject, ...finding.fault }, 'sign-in will fail: a value is wrong');
      if (finding.verdict !== 'unchecked') continue;
      const { reason, variable } = finding;
      log[variable ? 'warn' : 'info']({ subject, reason, variable }, 'sign-in not checked');
    }
    const wrong = findings.filter(({ verdict }) => verdict === 'wrong').length;
    log.info({ looked: findings.length, wrong }, 'sign-in looked at');
  } catch (error) {
    log.warn({ err: error }, 'sign-in could not be looked at');
  }
}
