import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestSlack, type TestSlack } from './open-test-app.ts';

let slack: TestSlack;

beforeAll(async () => {
  slack = await openTestSlack();
});
afterAll(() => slack.close());

const section = { type: 'section', text: { type: 'mrkdwn', text: 'Hello' } };
const title = { type: 'plain_text', text: 'A window' };

const validate = async (given: object) =>
  (await slack.call('blocks.validate', { ...given }, '')) as { errors: { pointer: string }[] };

describe('blocks.validate', () => {
  it.each([
    { blocks: [section] },
    { message: { blocks: [section] } },
    { message: JSON.stringify({ blocks: [section] }) },
    { view: { type: 'modal', title, blocks: [section] } },
    { view: { type: 'home', blocks: [section] } },
  ])('takes %j without a token', async (given) => {
    expect(await validate(given)).toEqual({ ok: true });
  });

  it.each([
    [{ blocks: [{ type: 'section' }] }, 'invalid_blocks', '/blocks/0'],
    [{ message: { blocks: [{ type: 'none' }] } }, 'invalid_message', '/blocks/0/type'],
    [{ view: { type: 'modal', blocks: [section] } }, 'invalid_view', '/view/title'],
  ])('says what is wrong with %j', async (given, error, pointer) => {
    const answer = await validate(given);

    expect(answer).toMatchObject({ ok: false, error, errors: [{ code: 'failed_constraint' }] });
    expect(answer.errors[0]?.pointer).toContain(pointer);
  });

  it.each([{}, { blocks: [], view: {} }, { view: 'nonsense' }])('wants exactly one of three: %j', async (given) => {
    expect(await validate(given)).toEqual({ ok: false, error: 'invalid_arguments' });
  });
});
