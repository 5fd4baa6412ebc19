import { resolve } from 'node:path';
import { systemCode } from '../../errors.ts';
import { openRegisterFile } from '../../governance/register/register-file.ts';
import { type Check, speak } from '../check.ts';
import { count, type Finding } from '../finding.ts';

const SHOWN_PROBLEMS = 10;

const { words, say } = speak({
  readable: '✓ The register at {path} can be read.',
  unused: '! GOVERNANCE_REGISTER is never read without ADMIN_API_BASE_URL. Set that, or leave both out.',
  wrong: '✗ The register at {path} (GOVERNANCE_REGISTER) has {mistakes}, so nothing can be reviewed:',
  unreadable:
    '✗ The register at {path} (GOVERNANCE_REGISTER) cannot be read ({code}), so nothing can be reviewed. Name a file that the app may read; a container has to have it mounted.',
});

/**
 * The register, read as the app reads it: at each review, not at its start. So without one that can be read the app
 * answers questions, and only reviews do not work.
 */
export const REGISTER: Check = {
  name: 'The register',
  section: 'Configuration',
  words,
  look({ config: { GOVERNANCE_REGISTER: file, ADMIN_API_BASE_URL } }) {
    if (!file) return undefined;
    return ADMIN_API_BASE_URL ? read(file) : say('unused');
  },
};

async function read(file: string): Promise<Finding> {
  // As the app sees it, where it runs here; the folder it was started in counts.
  const path = resolve(file);
  try {
    const { read } = await openRegisterFile(file)();
    if (!('problems' in read)) return say('readable', { path });
    const { problems } = read;
    const rest = problems.length - SHOWN_PROBLEMS;
    const shown = problems.slice(0, SHOWN_PROBLEMS).map(({ line, sentence }) => `line ${line}: ${sentence}`);
    return {
      ...say('wrong', { path, mistakes: count(problems.length, 'mistake') }),
      details: rest > 0 ? [...shown, `and ${rest} more`] : shown,
    };
  } catch (cause) {
    return say('unreadable', { path, code: systemCode(cause) ?? 'unknown reason' });
  }
}
