// A review where the service or Slack makes difficulties, and one that a stop of the app ends.

import type { AdminFault } from '@assistant-bridge/sandbox/admin/faults.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { signInAsAdmin } from '../app/administer.ts';
import { startAppProcess } from '../app/app-process.ts';
import { type Reviewing, startReviewing } from './admin-reviewing.ts';
import { KIM } from './admin-world.ts';
import { giveReview } from './give-review.ts';

let reviewing: Reviewing;

beforeAll(async () => {
  reviewing = await startReviewing();
});
afterEach(() => reviewing.reset());
afterAll(() => reviewing.stop());

describe('where Slack makes difficulties', () => {
  it('a review is not begun that could not be followed', async () => {
    reviewing.world.slack.faults.always('chat.postMessage', { kind: 'slackError', error: 'restricted_action' });
    reviewing.world.admin.ledger.clear();

    expect(await reviewing.world.tell('review')).toContain(
      'I could not write to you in our direct messages, so nothing was done.',
    );
    expect(reviewing.world.admin.ledger.count()).toBe(0);

    reviewing.world.slack.faults.clear();
    expect(reviewing.render(await reviewing.review())).toContain('everything is as approved');
  });

  it('the report arrives all the same', async () => {
    const count = reviewing.readDirect().length;
    const stop = reviewing.world.admin.onCall(({ operation }) => {
      if (operation !== 'read-allocation') return;
      stop();
      reviewing.world.slack.faults.next('chat.postMessage', { kind: 'rateLimited', retryAfterSeconds: 1 });
      reviewing.world.slack.faults.next('chat.update', { kind: 'slackError', error: 'message_not_found' });
    });

    await giveReview(reviewing.world);

    expect(reviewing.render(await reviewing.awaitDirect(count, 'as of '))).toContain('everything is as approved');
  });

  it('a page that cannot be turned stays, and is said to', async () => {
    reviewing.addEnvironments(9, { TenantPool: false });
    const report = await reviewing.review();
    reviewing.world.slack.faults.next('chat.update', { kind: 'slackError', error: 'cant_update_message' });
    const count = reviewing.readDirect().length;

    await reviewing.world.slack.as(KIM).click(report, 'Next');

    expect(reviewing.render(await reviewing.awaitDirect(count, 'turn the page'))).toContain('Try again in a minute');
    expect(reviewing.render(reviewing.readDirect().find(({ ts }) => ts === report.ts))).toContain('Page 1 of 2');
  });
});

describe('what cannot be read', () => {
  it('is never compliant where the inventory is truncated', async () => {
    reviewing.world.admin.faults.always('truncated', { on: 'query' });

    const text = reviewing.render(await reviewing.review());

    expect(text).toContain('*Review: not all of it could be read, so it does not count as compliant.*');
    expect(text).toContain('The list of environments is not complete: the service did not list everything.');
    expect(text).toContain('The list of agents is not complete: the service did not list everything.');
    expect(text).toContain('*unknown*: the service did not list everything, so it may be there or not');
  });

  it.each<[AdminFault, string, string]>([
    ['403', 'the service does not let your account read this', ': it lacks the right to read allocations, which the'],
    ['not-json', 'the service answered in a way this app cannot read', ''],
  ])('is one finding of many where the service answers %s', async (fault, reason, right) => {
    reviewing.world.admin.faults.next(fault, { on: 'read-allocation' });

    const report = await reviewing.review();

    expect(reviewing.readFindings(report)).toEqual([expect.stringContaining(`*unknown*: ${reason}${right}`)]);
    expect(reviewing.render(report)).toContain(`• 1: ${reason}`);
  });

  it('is those environments alone that the service fails at', async () => {
    reviewing.addEnvironments(30, { TenantPool: false });
    for (let index = 1; index <= 20; index++) reviewing.world.admin.failing.set(`new-${index}`, '500');

    const report = reviewing.render(await reviewing.review());

    expect(report).toContain('• 20: the service reported an internal error');
    expect(report).toContain('3 as approved');
    expect(report).not.toContain('too much to do');
  });

  it('is read again where the service fails once', async () => {
    reviewing.world.admin.faults.next('500', { on: 'read-allocation' });

    expect(reviewing.render(await reviewing.review())).toContain('everything is as approved');
  });

  it('asks to sign in with another account where this one may not list anything', async () => {
    reviewing.world.admin.faults.always('403', { on: 'query' });
    const count = reviewing.readDirect().length;

    const text = reviewing.render(await reviewing.review());

    expect(text).toContain(
      'The list of environments is not complete: the service does not let your account read this: it lacks the right to query the inventory, which the administrator role there has.',
    );
    expect(reviewing.render(await reviewing.awaitDirect(count, 'sign in with an account that has it'))).toContain(
      '[Sign in for administration]',
    );
  });

  it('is waited for where the service has too much to do, and the admin sees that', async () => {
    reviewing.world.admin.faults.next('429-seconds', { on: 'read-allocation', retryAfterS: 5 });
    const count = reviewing.readDirect().length;

    await giveReview(reviewing.world);

    expect(reviewing.render(await reviewing.awaitDirect(count, 'too much to do'))).toMatch(
      /It goes on at \d\d:\d\d:\d\d/,
    );
    expect(reviewing.render(await reviewing.awaitDirect(count, 'everything is as approved'))).toContain(
      '3 as approved',
    );
  });

  it('is all the rest where the sign-in ends half-way', async () => {
    let reads = 0;
    const stop = reviewing.world.admin.onCall(({ operation }) => {
      if (operation === 'read-allocation' && reads++ === 0) reviewing.world.identityProvider.revoke('kim');
    });
    reviewing.addEnvironments(8, { TenantPool: false });
    const count = reviewing.readDirect().length;

    const text = reviewing.render(await reviewing.review());
    stop();
    const prompt = await reviewing.awaitDirect(count, 'did not accept your sign-in any more, so the review');
    await signInAsAdmin(reviewing.world, KIM, prompt);

    expect(text).toContain('not all of it could be read');
    expect(text).toContain('the service did not accept your sign-in any more');
    expect(reviewing.render(await reviewing.review())).toContain('findings not in order');
  });
});

describe('a stop', () => {
  it('ends a review with a word, and the next start can review at once', async () => {
    const own = await startReviewing();
    try {
      const { world, readDirect, render, awaitDirect } = own;
      world.admin.faults.always('delay', { on: 'read-allocation', ms: 8_000 });
      await world.tell('review');
      await awaitDirect(0, '0 of 3 environments');

      await world.app.kill('SIGTERM');
      const ended = await world.app.ended;
      const told = render(readDirect().at(-1));
      world.admin.faults.clear();
      const app = await startAppProcess({ ...world.environment, GOVERNANCE_REGISTER: own.register });
      await world.tell('review');
      const report = await awaitDirect(0, 'everything is as approved');
      await app.kill('SIGTERM');

      expect(told).toContain('interrupted after 0 of 3 environments, because the app was stopped');
      // A stop that runs out of time ends with 1.
      expect(ended).toBe(0);
      expect(render(report)).toContain('3 as approved');
    } finally {
      await own.stop();
    }
  });
});
