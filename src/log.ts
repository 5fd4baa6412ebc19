import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/** The last look at every line: free text and causes carry secrets to places that no field list knows. */
const SECRETS = /xox[a-z]-[\w-]+|xapp-[\w-]+|eyJ[\w-]{8,}\.[\w-]+\.[\w-]*|(?<=Bearer )[^\s"\\]+/g;

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
 * JSON lines on standard output. Messages are static and lower case; what varies goes into fields. No text of a
 * question or an answer, no token, no name of a person.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const out = destination ?? pino.destination(1);
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
        censor: '[secret]',
      },
    },
    { write: (line: string) => out.write(line.replace(SECRETS, '[secret]')) },
  );
}
