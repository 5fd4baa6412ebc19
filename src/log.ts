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
 * The last look at every line: secret fields at any depth, and what looks like a secret anywhere, because free text and
 * causes carry them to places that no field list knows. Pino's `redact` knows two depths and costs fifty times as much.
 */
const SECRETS = new RegExp(
  [
    `(?<="(?:${SECRET_FIELDS.join('|')})":")(?:[^"\\\\]|\\\\.)+`,
    'xox[a-z]-[\\w-]+',
    'xapp-[\\w-]+',
    // Not in the middle of a word: a long run of such beginnings would be read again from each of them.
    '(?<![\\w-])eyJ[\\w-]{8,}\\.[\\w-]+\\.[\\w-]*',
    // In addresses and forms.
    '(?<=(?:[?&"\\s])(?:ticket|code|state|access_token|refresh_token|client_secret|client_assertion|code_verifier)=)[^&\\s"\\\\]+',
    '(?<=hooks\\.slack\\.com/)[^\\s"\\\\]+',
    '(?<=Bearer )[^\\s"\\\\]+',
    // Base64, which has a capital, a digit or a sign behind its first letter, as the words of a sentence have not.
    '(?<=Basic )(?![A-Z]?[a-z]+(?![\\w+/=-]))[\\w+/=-]+',
    // The password in the address of a Redis or a proxy.
    '(?<=\\w://[^:/@\\s"\\\\]*:)[^/@\\s"\\\\]+(?=@)',
  ].join('|'),
  'g',
);

/** What is logged goes out so late, in ms: a write for each line would cost a twentieth of a turn. */
const FLUSH_MS = 50;

/**
 * JSON lines on standard output. Messages are static and lower case; what varies goes into fields. No text of a
 * question or an answer, no token, no name of a person.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const out = destination ?? openStandardOutput();
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line: string) => out.write(line.replace(SECRETS, '[secret]')) },
  );
}

let standardOutput: DestinationStream | undefined;

/** One for the process. Lines go out together: only a process that is killed loses some, of its last moment. */
function openStandardOutput(): DestinationStream {
  if (standardOutput) return standardOutput;
  const out = pino.destination({ dest: 1, sync: true, minLength: 4_096, periodicFlush: FLUSH_MS });
  process.on('exit', () => out.flushSync());
  standardOutput = out;
  return out;
}
