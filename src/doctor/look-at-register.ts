import { resolve } from 'node:path';
import type { Config } from '../config.ts';
import { systemCode } from '../errors.ts';
import { openRegisterFile, type RegisterFile } from '../governance/register/register-file.ts';
import { count, error, type Finding, ok, warning } from './finding.ts';

const SHOWN_PROBLEMS = 10;

/**
 * The register, read as the app reads it: at each review, not at its start. So without one that can be read the app
 * answers questions, and only reviews do not work.
 */
export async function lookAtRegister({ GOVERNANCE_REGISTER: file, ADMIN_API_BASE_URL }: Config): Promise<Finding[]> {
  if (!file) return [];
  if (!ADMIN_API_BASE_URL) {
    return [warning('GOVERNANCE_REGISTER is never read without ADMIN_API_BASE_URL. Set that, or leave both out.')];
  }
  // As the app sees it, where it runs here; the folder it was started in counts.
  const path = resolve(file);
  try {
    return [describe(path, await openRegisterFile(file)())];
  } catch (cause) {
    return [error(`The register at ${path} (GOVERNANCE_REGISTER) ${toReason(cause)}`)];
  }
}

function describe(path: string, { read }: RegisterFile): Finding {
  if (!('problems' in read)) return ok(`The register at ${path} can be read.`);
  const { problems } = read;
  const rest = problems.length - SHOWN_PROBLEMS;
  return error(
    `The register at ${path} (GOVERNANCE_REGISTER) has ${count(problems.length, 'mistake')}, so nothing can be reviewed:`,
    [
      ...problems.slice(0, SHOWN_PROBLEMS).map(({ line, sentence }) => `line ${line}: ${sentence}`),
      ...(rest > 0 ? [`and ${rest} more`] : []),
    ],
  );
}

function toReason(cause: unknown): string {
  const code = systemCode(cause) ?? 'unknown reason';
  return `cannot be read (${code}), so nothing can be reviewed. Name a file that the app may read; a container has to have it mounted.`;
}
