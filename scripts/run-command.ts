// What all scripts for operators share: they read arguments, show their usage, and say in a sentence what failed.
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { ConfigError } from '../src/config.ts';
import { BridgeError, systemCode } from '../src/errors.ts';

const HELP = { help: { type: 'boolean', short: 'h' } } as const;

type Given<O extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: O & typeof HELP; allowPositionals: true }>
>;

type Command<O extends ParseArgsOptionsConfig> = {
  usage: string;
  options?: O;
  /** A sentence for an unexpected fault. `code`: of the system, or `no code`. */
  failed(code: string, cause: unknown): string;
  /** Returns the exit code; undefined if the arguments are wrong. */
  run(values: Given<O>['values'], positionals: string[]): Promise<number | undefined>;
};

const FAILED = 1;

/** Runs the command with the arguments of this process, and sets its exit code. */
export async function runCommand<const O extends ParseArgsOptionsConfig>(command: Command<O>): Promise<void> {
  try {
    const options = { ...(command.options as O), ...HELP };
    const { values, positionals } = parseArgs({ options, allowPositionals: true }) as Given<O>;
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

/** What to say to an operator. */
export function toSentence(cause: unknown, failed: Command<never>['failed']): string {
  if (cause instanceof ConfigError) return cause.problems.join('\n');
  if (cause instanceof BridgeError) return cause.message;
  return failed(systemCode(cause) ?? 'no code', cause);
}
