// `/assistant-admin review draft`, as far as the register's file and the stop of this app are concerned.
import { describe, expect, it } from 'vitest';
import type { AdminSession } from '../../../src/admin-api/admin-session.ts';
import { readRegister } from '../../../src/governance/register/read-register.ts';
import type { RegisterFile } from '../../../src/governance/register/register-file.ts';
import { type DraftPorts, draftRegister } from '../../../src/governance/review/draft-command.ts';
import type { SendFile } from '../../../src/slack/send-file.ts';
import { SlackRefusedError } from '../../../src/slack/web/slack-errors.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { readTexts } from '../limits/limit-samples.ts';
import { anEnvironment, aWorld, NOW, toPorts } from './review-world.ts';

/** `count`: of environments that are found. */
async function draft(file: RegisterFile | 'none', { count = 2, isStopping = false, refusal = '' } = {}) {
  const environments = Array.from({ length: count }, (_, index) => anEnvironment({ name: `env-${index + 1}` }));
  const { findEnvironments, findAgents, readAllocation } = toPorts(aWorld({ environments, agents: [] }));
  const session = { findEnvironments, findAgents, readAllocation, readThresholds: async () => 'not_offered' };
  const said: string[] = [];
  const files: Parameters<SendFile>[1][] = [];
  const { changes, overlay } = createMemoryStore();
  const quiet = () => undefined;
  const ports = {
    ...{ changes, overlay, now: () => NOW, readRegister: async () => file },
    async sendFile(_: unknown, sent: (typeof files)[number]) {
      if (refusal !== '') throw new SlackRefusedError('files.getUploadURLExternal', refusal);
      files.push(sent);
    },
    stopping: isStopping ? AbortSignal.abort() : new AbortController().signal,
    log: { info: quiet, warn: quiet, error: quiet },
  } as unknown as DraftPorts;
  await draftRegister(
    {
      caller: { team: 'T1', workspace: 'T1', user: 'U1' },
      openSession: async () => session as unknown as AdminSession,
      say: async (content) => said.push(readTexts(content)) > 0,
    },
    ports,
  );
  return { said, files };
}

const toFile = (text: string): RegisterFile => ({ text, read: readRegister(text) });

describe('a draft', () => {
  it('begins a register where there is no file', async () => {
    const { files, said } = await draft('none');

    const [{ name, comment, content: yaml } = { name: '', comment: '', content: '' }] = files;
    expect(name).toBe('register-draft-2026-03-04.yaml');
    expect(comment).toContain('*A draft of the register*: 2 environments that it does not name yet');
    expect(said.at(-1)).toContain('I sent it to you in our direct messages.');
    expect(yaml).toContain('# Drafted on 2026-03-04 (UTC) from what was found.');
    expect(readRegister(yaml)).toMatchObject({ register: { environments: [], undecided: ['env-1', 'env-2'] } });
  });

  it('is whole in its file, however long it is', async () => {
    const { files } = await draft('none', { count: 900 });

    const sent = readRegister(files[0]?.content ?? '');
    expect('register' in sent && sent.register.undecided).toHaveLength(900);
  });

  it.each([
    ['file_uploads_disabled', 'Slack did not take the file'],
    ['missing_scope', 'grants the scope `files:write`'],
  ])('says why where Slack does not take the file: %s', async (refusal, why) => {
    const { said } = await draft('none', { refusal });

    expect(said.at(-1)).toContain(why);
  });

  it('says so where there is nothing to draft, or the file has mistakes', async () => {
    const whole = await draft(toFile('schema: 1\nenvironments: [{ id: env-1, classification: undecided }]\n'), {
      count: 1,
    });
    const broken = await draft(toFile('schema: 2\n'));

    expect(whole.said.at(-1)).toContain('There is nothing to draft');
    expect(broken.said).toEqual([expect.stringContaining('The register has')]);
    expect([...whole.files, ...broken.files]).toEqual([]);
  });

  it('says so where this app stops', async () => {
    const { said } = await draft('none', { isStopping: true });

    expect(said.at(-1)).toContain('This app is being restarted, so nothing was drafted.');
  });
});
