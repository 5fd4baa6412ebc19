// Lists as files in the direct messages of whoever asks for them.
import { afterEach, describe, expect, it } from 'vitest';
import { giveAdminCommand, nextPrivate, readPrivate } from '../app/administer.ts';
import { readCsv } from '../governance/exports/sheet-rows.ts';
import { KIM, type SentFile } from './admin-world.ts';
import { shareAdminWorld } from './live-admin.ts';

const world = shareAdminWorld();

afterEach(() => {
  world.admin.faults.clear();
  world.slack.faults.clear();
  world.slack.registration.scopes.add('files:write');
});

async function exportWith(command: string): Promise<SentFile & { said: string }> {
  const before = world.files().length;
  const said = await world.tell(command);
  const [file] = world.files().slice(before);
  return { name: '', comment: '', content: '', ...file, said };
}

describe('an export', () => {
  it('has every row of the list as CSV, and is announced to the admin alone', async () => {
    const { said, name, comment, content } = await exportWith('agents csv');

    expect(said).toMatch(/^I sent it to you in our direct messages: agents-.*\.csv, 6 rows\.$/);
    expect(name).toMatch(/^agents-\d{4}-\d\d-\d\dT\d{4}Z\.csv$/);
    expect(comment).toBe('*Export of agents*: 6 rows');
    const lines = content.trimEnd().split('\r\n');
    expect(lines).toHaveLength(7);
    expect(lines[0]).toMatch(/^\ufeffagent_id,agent_name,environment_id,environment_name,class,limit,/);
    expect(lines.find((line) => line.startsWith('agent-1,'))).toMatch(
      /^agent-1,Invoice Reader,[0-9a-f-]+,Contoso Production,,5000,/,
    );
  });

  it.each([
    ['agents harness', 'agent_id', 4],
    ['environments', 'environment_id', 3],
    ['environments contoso production', 'used', 1],
    ['agents invoice', 'limit', 2],
    ['agents nolimit', 'limit', 3],
    ['environments over:1', 'share', 1],
    ['environments owner:00000000-0000-4000-8000-000000616e61', 'owner_id', 1],
    ['environments pool', 'draws_on_pool', 1],
    ['environments harness', 'harness_agents', 3],
  ])('of %s has names that stay', async (command, column, count) => {
    const { content } = await exportWith(`${command} csv`);

    const rows = readCsv(content);
    expect(Object.keys(rows[0] ?? {})).toContain(column);
    expect(rows).toHaveLength(count);
  });

  it('of the log, the rules of channels and insights needs nothing of the service', async () => {
    const rules = await exportWith('rules csv');
    const insights = await exportWith('insights 7 csv');
    const log = await exportWith('log csv');

    expect(rules.content).toContain(',questions,allowed,built_in,\r\n');
    expect(insights.content).toMatch(/^\ufeffmetric,value,note\r\n/);
    expect(log.content).toMatch(/^\ufeffseq,at,what,/);
  });

  it('is one click below a list, of all its pages', async () => {
    const { slack } = world;
    const list = await giveAdminCommand(world, KIM, 'agents env:lab');
    const count = readPrivate(world, KIM).length;
    const before = world.files().length;

    await slack.as(KIM).click(list, 'CSV');
    const said = slack.render(await nextPrivate(world, KIM, count));

    expect(said).toContain('I sent it to you in our direct messages: agents-');
    expect(world.files()[before]?.content.trimEnd().split('\r\n')).toHaveLength(4);
  });

  it('says what is missing, beside the file and in the answer', async () => {
    world.admin.faults.always('html', { on: 'list-thresholds' });

    const { said, comment } = await exportWith('agents csv');

    expect(said).toMatch(/limits could not be read/i);
    expect(comment).toMatch(/limits could not be read/i);
  });

  it('says what whoever runs the app has to do where it may not send files', async () => {
    world.slack.registration.scopes.delete('files:write');

    const { said, name } = await exportWith('agents csv');

    expect(said).toContain('this app may not send files here yet');
    expect(said).toContain('files:write');
    expect(name).toBe('');
  });

  it('says that it may have arrived where Slack does not tell', async () => {
    world.slack.faults.next('files.completeUploadExternal', { kind: 'resetAfterProcessing' });

    const { said } = await exportWith('agents csv');

    expect(said).toContain('Slack did not answer whether the file arrived');
  });
});
