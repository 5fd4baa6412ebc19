// Lists as files in the direct messages of whoever asks for them.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { nextPrivate, readDirect, readPrivate } from '../app/administer.ts';
import { readCsv } from '../governance/exports/sheet-rows.ts';
import { type AdminWorld, KIM, startAdminWorld } from './admin-world.ts';

let world: AdminWorld;

beforeAll(async () => {
  world = await startAdminWorld({ admin: { thresholdList: true } }, { ADMIN_USERS: KIM });
});
afterEach(() => {
  world.admin.faults.clear();
  world.slack.faults.clear();
  world.slack.registration.scopes.add('files:write');
});
afterAll(() => world.stop());

type SentFile = { name: string; comment: string; content: string };

function readFiles(): SentFile[] {
  return readDirect(world, KIM).flatMap(({ text, files = [] }) =>
    files.map(({ id, name }) => ({
      name: String(name),
      comment: text,
      content: String(world.slack.workspace.files.get(String(id))?.content),
    })),
  );
}

async function exportWith(command: string): Promise<SentFile & { said: string }> {
  const before = readFiles().length;
  const said = await world.tell(command);
  const [file] = readFiles().slice(before);
  return { name: '', comment: '', content: '', ...file, said };
}

describe('an export', () => {
  it('has every row of the list as CSV, and is announced to the admin alone', async () => {
    const { said, name, comment, content } = await exportWith('limits export csv');

    expect(said).toMatch(/^I sent it to you in our direct messages: limits-.*\.csv, 6 rows\.$/);
    expect(name).toMatch(/^limits-\d{4}-\d\d-\d\dT\d{4}Z\.csv$/);
    expect(comment).toBe('*Export of limits*: 6 rows');
    const lines = content.trimEnd().split('\r\n');
    expect(lines).toHaveLength(7);
    expect(lines[0]).toMatch(/^\ufeffagent_id,agent_resource_id,agent_name,environment_id,/);
    expect(lines.find((line) => line.startsWith('agent-1,'))).toMatch(
      /^agent-1,bot-1,Invoice Reader,[0-9a-f-]+,Contoso Production,owner-1,true,deployment,5000,1234\.5,0\.2469,/,
    );
  });

  it.each([
    ['agents harness', 'agent_id', 4],
    ['environments', 'environment_id', 3],
    ['usage contoso production', 'used', 1],
    ['limits invoice', 'monthly_limit', 2],
    ['limits none', 'monthly_limit', 3],
    ['usage over:1', 'share', 1],
    ['environments owner:owner-ana', 'owner_id', 1],
  ])('of %s has names that stay', async (command, column, count) => {
    const { content } = await exportWith(`${command} export csv`);

    const rows = readCsv(content);
    expect(Object.keys(rows[0] ?? {})).toContain(column);
    expect(rows).toHaveLength(count);
  });

  it('of the audit log, the rules of channels and insights needs nothing of the service', async () => {
    const rules = await exportWith('channels export csv');
    const insights = await exportWith('insights 7 export csv');
    const audit = await exportWith('audit export csv');

    expect(rules.content).toContain(',questions,allowed,built_in\r\n');
    expect(insights.content).toBe('\ufeffmetric,value,note\r\n');
    expect(audit.content).toMatch(/^\ufeffseq,at,what,/);
  });

  it('says what is not understood, as the list does', async () => {
    const { said, name } = await exportWith('usage over:much export csv');

    expect(said).toContain('After `over:` comes a percentage');
    expect(name).toBe('');
  });

  it('is one click below a list, of all its pages', async () => {
    const { slack } = world;
    const count = readPrivate(world, KIM).length;
    await slack.as(KIM).command('/assistant-admin', 'agents env:lab', 'C0GENERAL');
    const list = await nextPrivate(world, KIM, count);
    const before = readFiles().length;

    await slack.as(KIM).click(list, 'Export CSV');
    const said = slack.render(await nextPrivate(world, KIM, count + 1));

    expect(said).toContain('I sent it to you in our direct messages: agents-');
    expect(readFiles()[before]?.content.trimEnd().split('\r\n')).toHaveLength(4);
  });

  it('says what is missing, beside the file and in the answer', async () => {
    world.admin.faults.always('html', { on: 'read-entitlements' });

    const { said, comment } = await exportWith('limits export csv');

    expect(said).toContain('The consumption of some environments could not be read');
    expect(comment).toContain('The consumption of some environments could not be read');
  });

  it('waits where the service asks to wait', async () => {
    world.admin.faults.next('429-seconds', { on: 'read-entitlements', retryAfterS: 3 });
    const before = readFiles().length;
    const count = readPrivate(world, KIM).length;

    await world.slack.as(KIM).command('/assistant-admin', 'usage export csv', 'C0GENERAL');
    const told = world.slack.render(await nextPrivate(world, KIM, count));
    await nextPrivate(world, KIM, count + 1);

    expect(told).toContain('Reading all of it for the file. This may take a few minutes');
    expect(readFiles()[before]?.comment).not.toContain(':warning:');
  });

  it('says what whoever runs the app has to do where it may not send files', async () => {
    world.slack.registration.scopes.delete('files:write');

    const { said, name } = await exportWith('agents export csv');

    expect(said).toContain('this app may not send files here yet');
    expect(said).toContain('files:write');
    expect(name).toBe('');
  });

  it('says that it may have arrived where Slack does not tell', async () => {
    world.slack.faults.next('files.completeUploadExternal', { kind: 'resetAfterProcessing' });

    const { said } = await exportWith('agents export csv');

    expect(said).toContain('Slack did not answer whether the file arrived');
  });

  it('of what has no list is looked up by its name', async () => {
    expect(await world.tell('agents "export csv"')).toContain('no agents matching “export csv”');
  });
});
