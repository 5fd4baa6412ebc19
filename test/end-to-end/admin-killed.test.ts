import { DatabaseSync } from 'node:sqlite';
import type { View } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { awaitModal, closeModals } from '../app/administer.ts';
import { type AppProcess, startAppProcess } from '../app/app-process.ts';
import { type AdminWorld, KIM, startAdminWorld, WHY } from './admin-world.ts';
import { readChanges } from './allocation-world.ts';

describe('a process that is killed between the write and the look at it', () => {
  let dying: AdminWorld;
  let app: AppProcess;

  beforeAll(async () => {
    dying = await startAdminWorld({ admin: { thresholdList: true } });
    app = dying.app;
  });
  afterAll(async () => {
    await app.kill('SIGTERM');
    await dying.close();
  });

  it.each([
    ['allocation contoso production', { allocated_0: '33000' }, '33,000 credits allocated'],
    ['limit travel planner', { limit: '3300' }, 'Limit now: *3,300* credits a month'],
  ])('leaves a record that says so, and the next look tells the truth: %s', async (command, entries, now) => {
    const { slack } = dying;
    const open = async () => {
      await closeModals(dying, KIM);
      await slack.as(KIM).command('/assistant-admin', command, 'C0GENERAL');
      return awaitModal(dying, KIM);
    };
    const form = await open();
    const decision = slack.render(form).includes('Is this agent stopped now?')
      ? { stop_decision: 'It is not stopped' }
      : {};
    await slack.as(KIM).submit(form, { ...entries, ...decision });
    await killAtWrite(await awaitModal(dying, KIM, `${form.callbackId}_confirm`));
    const left = readChanges(dying).at(-1);
    age(dying);

    app = await startAppProcess(dying.environment);
    const looked = slack.render(await open());
    const secondLook = slack.render(await open());

    expect(left).toMatchObject({ user: KIM, reason: WHY.reason });
    expect(left).not.toHaveProperty('outcome');
    expect(looked).toMatch(/A change by @kim of .* broke off. It had been made: the service shows now/);
    expect(looked).toContain(now);
    expect(secondLook).not.toContain('broke off');
    expect(readChanges(dying).at(-1)).toMatchObject({ outcome: { kind: 'verified', reason: 'interrupted' } });
  });

  /** Confirms; the service carries it out, and its answer finds nobody. */
  async function killAtWrite(confirmation: View): Promise<void> {
    const written = Promise.withResolvers<void>();
    const stop = dying.admin.onWritten(async () => {
      written.resolve();
      await new Promise((wake) => setTimeout(wake, 1_000));
    });
    await dying.slack.as(KIM).submit(confirmation, WHY);
    await written.promise;
    await app.kill('SIGKILL');
    stop();
  }
});

/** As if ten minutes had gone by since an earlier release left it, whose changes nobody settles before such a look. */
function age({ environment }: AdminWorld): void {
  const database = new DatabaseSync(environment.SQLITE_PATH ?? '');
  database.exec(
    "UPDATE documents SET body = json_set(body, '$.at', json_extract(body, '$.at') - 600000) WHERE key LIKE 'change:%'",
  );
  database.exec("DELETE FROM entries WHERE name = 'changes-untold'");
  database.close();
}
