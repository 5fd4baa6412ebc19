import { ConfigError } from '../../src/config.ts';
import { BridgeError, systemCode } from '../../src/errors.ts';

export const USAGE = `Ends sign-ins: these people are asked to sign in again at their next question.
  npm run sign-everybody-out -- --count      changes nothing, and says how many sign-ins there are
  npm run sign-everybody-out                 ends all of them, once you have typed how many
  npm run sign-everybody-out -- --key <id>   only those whose tokens are sealed with this key of ENCRYPTION_KEYS
      --yes                                  asks nothing
With Redis the app may run. With SQLite stop it first; --count runs beside it.`;

/** What to say to an operator. */
export function toSentence(cause: unknown): string {
  if (cause instanceof ConfigError) return cause.problems.join('\n');
  if (cause instanceof BridgeError) return cause.message;
  const code = systemCode(cause) ?? 'no code';
  if (code.startsWith('ERR_PARSE_ARGS')) return `${(cause as Error).message}\n${USAGE}`;
  return `The store cannot be used (${code}). Check its address or path, and who may write there.`;
}
