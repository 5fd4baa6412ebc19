// What a review says about the register, and how it is exported.
import { rmSync, writeFileSync } from 'node:fs';
import { CURRENCY } from '@assistant-bridge/sandbox/admin/model.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createOverlay, type ExceptionRecord } from '../../src/governance/register/overlay.ts';
import { readCsv } from '../governance/exports/sheet-rows.ts';
import { besideSqlite } from '../storage/beside-store.ts';
import { EXAMPLE, PRODUCTION, type Reviewing, startReviewing } from './admin-reviewing.ts';
import { KIM } from './admin-world.ts';

let reviewing: Reviewing;

beforeAll(async () => {
  reviewing = await startReviewing();
});
afterEach(() => reviewing.reset());
afterAll(() => reviewing.stop());

describe('the register', () => {
  it('is not what a report exports: that is its findings, by command and by button', async () => {
    const { world, readDirect, turnRule, review } = reviewing;
    const none = await world.tell('review export csv');
    turnRule(PRODUCTION, 'Deny', false);
    const report = await review();
    const readFile = () => {
      const [file] = readDirect().at(-1)?.files ?? [];
      return String(world.slack.workspace.files.get(String(file?.id))?.content);
    };

    const said = await world.tell('review export csv');
    const rows = readCsv(readFile());
    const count = readDirect().length;
    await world.slack.as(KIM).click(report, 'Export CSV');
    await world.slack.until(() => readDirect()[count], { what: 'the file' });

    expect(none).toContain('There is no report of yours to export');
    expect(said).toMatch(/I sent it to you in our direct messages: review-.*\.csv, 1 row\./);
    const drift = { status: 'drift', environment_id: PRODUCTION, setting: 'Deny', approved: 'on', found: 'off' };
    expect(rows).toEqual([expect.objectContaining(drift)]);
    expect(readFile()).toMatch(/^\ufeffkind,status,.*\r\nenvironment,drift,/);
  });

  it('is shown with its problems, line by line, as many as fit', async () => {
    writeFileSync(
      reviewing.register,
      EXAMPLE.replace('reviewedAgents: all', 'reviewedAgents: some').replace('schema: 1', 'schema: 2'),
    );
    const few = await reviewing.world.tell('review');
    const bad = Array.from({ length: 200 }, (_, index) => `  - { id: e${index}, classification: <!channel> }`);
    writeFileSync(reviewing.register, `schema: 1\nenvironments:\n${bad.join('\n')}\n`);
    const many = await reviewing.world.tell('review');

    expect(few).toContain('The register has 2 problems, so nothing was looked at.');
    expect(few).toMatch(/• Line \d+: /);
    expect(many).toMatch(/The register has [\d,]+ problems/);
    expect(many).toMatch(/• and [\d,]+ more/);
    expect(reviewing.world.slack.workspace.notifications).toEqual([]);
  });

  it('has to be there', async () => {
    rmSync(reviewing.register);

    expect(await reviewing.world.tell('review')).toContain('The file of the register could not be read');
    expect(await reviewing.world.tell('review export')).toContain('The file of the register could not be read');
    await reviewing.world.slack.until(() =>
      reviewing.world.app.lines.some((line) => line.includes('register not read')),
    );
  });

  it('is exported with what was decided in Slack, and only then', async () => {
    const nothing = await reviewing.world.tell('review export');
    const record: ExceptionRecord = {
      ...{ schema: 1, id: 'd1', kind: 'exception', environmentId: PRODUCTION, agentResourceId: undefined },
      ...{ by: { team: 'T0001', workspace: 'T0001', user: KIM }, at: Date.now(), registerHash: 'h' },
      accepts: [{ setting: 'Deny', currency: CURRENCY, value: 'off' }],
      ...{ reason: 'Migration <FIN-1>', expiresOn: '2099-01-31' },
    };
    const beside = besideSqlite(() => String(reviewing.world.environment.SQLITE_PATH));
    await beside.with((kernel) => createOverlay(kernel).add(record));
    const count = reviewing.readDirect().length;

    const said = await reviewing.world.tell('review export');
    const parts = reviewing.readDirect().slice(count);
    reviewing.turnRule(PRODUCTION, 'Deny', false);
    const report = reviewing.render(await reviewing.review());

    expect(nothing).toContain('There is nothing to export');
    expect(said).toContain('I sent it to you in our direct messages.');
    expect(parts.map(({ text }) => text)).toEqual([
      expect.stringContaining('*The register with 1 decision made in Slack*: all of it.'),
    ]);
    const [file] = parts[0]?.files ?? [];
    expect(file?.name).toMatch(/^register-\d{4}-\d\d-\d\d\.yaml$/);
    const { content } = reviewing.world.slack.workspace.files.get(String(file?.id)) ?? {};
    expect(String(content)).toContain('reason: Migration <FIN-1>');
    expect(report).toContain('1 accepted for now');
    expect(report).toContain('*Review: everything is as approved.*');
  });

  it('is asked for with words that are known', async () => {
    expect(await reviewing.world.tell('review everything')).toContain(
      '`/assistant-admin review export` writes out the register',
    );
  });
});
