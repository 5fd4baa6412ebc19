import { probeSignIn } from '../identity/probe-sign-in.ts';
import type { ProbeFinding } from '../identity/weigh-findings.ts';
import type { Log } from '../log.ts';
import type { Parts } from './parts.ts';
import { toSignInValues } from './sign-in-values.ts';

const LOOK_EVERY_MS = 3_600_000;

/** Not at once: a start has more urgent things to do. */
const FIRST_LOOK_AFTER_MS = 150;

/**
 * Looks for values with which nobody can sign in, soon and every hour: a secret ends on some day, and a refused client or
 * address shows only in people's browsers. Logs what has changed since the last look; `onLooked` is told which variables
 * are wrong.
 */
export function startSignInLooks(
  { config, http, log, now }: Pick<Parts, 'config' | 'http' | 'log' | 'now'>,
  onLooked: (wrong: string[]) => void,
): { stop(): void } {
  let told = '';

  async function look(): Promise<void> {
    try {
      const findings = await probeSignIn(toSignInValues(config), { http, now });
      onLooked(findings.flatMap((finding) => (finding.verdict === 'wrong' ? [finding.fault.variable] : [])));
      const found = JSON.stringify(findings);
      if (found !== told) tell(findings, log);
      told = found;
    } catch (error) {
      log.warn({ err: error }, 'sign-in could not be looked at');
    }
  }

  const first = setTimeout(look, FIRST_LOOK_AFTER_MS).unref();
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  return {
    stop() {
      clearTimeout(first);
      clearInterval(timer);
    },
  };
}

function tell(findings: ProbeFinding[], log: Log): void {
  for (const finding of findings) {
    const { subject } = finding;
    if (finding.verdict === 'wrong') log.error({ subject, ...finding.fault }, 'sign-in will fail: a value is wrong');
    if (finding.verdict !== 'unchecked') continue;
    const { reason, variable } = finding;
    log[variable ? 'warn' : 'info']({ subject, reason, variable }, 'sign-in not checked');
  }
  const wrong = findings.filter(({ verdict }) => verdict === 'wrong').length;
  log.info({ looked: findings.length, wrong }, 'sign-in looked at');
}
