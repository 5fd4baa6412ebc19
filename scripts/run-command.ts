// What all scripts share: they read arguments, show their usage, and say in a sentence what failed.
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { ConfigError } from '../src/config.ts';
import { BridgeError, systemCode, UserError } from '../src/errors.ts';

const HELP = { help: { type: 'boolean', short: 'h' } } as const;

type Given<O extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: O & typeof HELP; allowPositionals: true }>
>;

/** What was given, by the names of the options. */
export type Values<O extends ParseArgsOptionsConfig> = Given<O>['values'];

type Command<O extends ParseArgsOptionsConfig> = {
  usage: string;
  options?: O;
  /** Whether it takes arguments besides its options (no). */
  allowPositionals?: boolean;
  /** A sentence for an unexpected fault; default: its stack. `code`: of the system, or `no code`. */
  failed?(code: string, cause: unknown): string;
  /** Returns the exit code; undefined if the arguments are wrong. */
  run(values: Values<O>, positionals: string[]): Promise<number | undefined>;
};

const FAILED = 1;

/** Runs the command with the arguments of this process, and sets its exit code. */
export async function runCommand<const O extends ParseArgsOptionsConfig>(command: Command<O>): Promise<void> {
  try {
    const options = { ...(command.options as O), ...HELP };
    const { allowPositionals = false } = command;
    const { values, positionals } = parseArgs({ options, allowPositionals }) as Given<O>;
    if ((values as { help?: boolean }).help) return console.log(command.usage);
    const code = await command.run(values, positionals);
    if (code === undefined) console.error(command.usage);
    process.exitCode = code ?? FAILED;
  } catch (cause) {
    const isUsage = String(systemCode(cause)).startsWith('ERR_PARSE_ARGS');
    console.error(isUsage ? `${(cause as Error).message}\n${command.usage}` : toSentence(cause, command.failed));
    process.exitCode = FAILED;
  }
}

/** The number of an option. Throws a UserError. */
export function toWholeNumber(option: string, text: string, from: number, to: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= from && number <= to) return number;
  throw new UserError('no_number', `--${option} must be a whole number from ${from} to ${to}, not '${text}'.`);
}

/** What to say to an operator. */
export function toSentence(cause: unknown, failed: Command<never>['failed']): string {
  if (cause instanceof ConfigError) return cause.problems.join('\n');
  if (cause instanceof BridgeError) return cause.message;
  if (failed) return failed(systemCode(cause) ?? 'no code', cause);
  return `It failed: ${cause instanceof Error ? cause.stack : String(cause)}`;
}
