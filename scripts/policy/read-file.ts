import { readFile } from 'node:fs/promises';
import { systemCode, UserError } from '../../src/errors.ts';
import { readDocument, type SoundDocument } from '../../src/governance/policy-documents/read-document.ts';
import { toPrintable } from '../printable.ts';

export type PolicyFile = { text: string; read: SoundDocument };

/** Before a store is opened: a long file takes seconds. Throws a UserError, with a line for each mistake. */
export async function readPolicyFile(path: string): Promise<PolicyFile> {
  const text = await readText(path);
  const read = readDocument(text);
  if (read.kind !== 'problems') return { text, read };
  const lines = read.problems.map(({ line, sentence }) => toPrintable(`Line ${line}: ${sentence}`));
  throw new UserError('file_wrong', lines.join('\n'));
}

async function readText(path: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch (cause) {
    const why = cause instanceof TypeError ? 'it is no text in UTF-8' : (systemCode(cause) ?? 'unknown reason');
    throw new UserError('no_file', `${path} cannot be read (${why}).`, { cause });
  }
}
