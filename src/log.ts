import { hostname } from 'node:os';
import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

const SECRET_FIELDS = [
  'authorization',
  'access_token',
  'refresh_token',
  'id_token',
  'code_verifier',
  'client_secret',
  'client_assertion',
  'token',
  'response_url',
];

/**
 * Redacts each line: secret fields at any depth, and anything that looks like a secret, because free text and error
 * causes can contain secrets. Pino's `redact` covers only two levels and costs fifty times as much.
 */
const SECRETS = new RegExp(
  [
    `(?<="(?:${SECRET_FIELDS.join('|')})":")(?:[^"\\\\]|\\\\.)+`,
    'xox[a-z]-[\\w-]+',
    'xapp-[\\w-]+',
    // Only at the start of a word: otherwise a long run of such prefixes takes quadratic time.
    '(?<![\\w-])eyJ[\\w-]{8,}\\.[\\w-]+\\.[\\w-]*',
    // In URLs and forms.
    '(?<=(?:[?&"\\s])(?:ticket|code|state|access_token|refresh_token|client_secret|client_assertion|code_verifier)=)[^&\\s"\\\\]+',
    '(?<=hooks\\.slack\\.com/)[^\\s"\\\\]+',
    '(?<=Bearer )[^\\s"\\\\]+',
    // Base64: unlike an ordinary word, it has a capital, a digit or a sign after its first letter.
    '(?<=Basic )(?![A-Z]?[a-z]+(?![\\w+/=-]))[\\w+/=-]+',
    // The password in the URL of a Redis or a proxy.
    '(?<=\\w://[^:/@\\s"\\\\]*:)[^/@\\s"\\\\]+(?=@)',
  ].join('|'),
  'g',
);

/** Flush interval, in ms: a write per line would cost a twentieth of a turn. */
const FLUSH_MS = 50;

/**
 * JSON lines on standard output. Messages are static and lower case; variable parts go into fields. Never logs text of
 * questions or answers, tokens, or names of people.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const out = destination ?? openStandardOutput();
  return pino(
    {
      level,
      // In a container: the name of the container or the pod.
      base: { replica: hostname() },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line: string) => out.write(line.replace(SECRETS, '[secret]')) },
  );
}

let standardOutput: DestinationStream | undefined;

/** One per process. Buffered: only a killed process loses lines, the last ones. */
function openStandardOutput(): DestinationStream {
  if (standardOutput) return standardOutput;
  const out = pino.destination({ dest: 1, sync: true, minLength: 4_096, periodicFlush: FLUSH_MS });
  process.on('exit', () => out.flushSync());
  standardOutput = out;
  return out;
}
