import { beforeEach, describe, expect, it } from 'vitest';
import { toFingerprint } from '../../src/conversation/fingerprint.ts';
import { type Harness, startHarness } from './run-harness.ts';

let harness: Harness;
beforeEach(() => {
  harness = startHarness();
});

const READ = { text: 'Who owns it?', webSearch: true, links: ['https://files.example/plan'], unusable: [] };
const AGAIN = { isAskedAgain: true, text: '', origin: 'shortcut' } as const;

async function run(fingerprint: string | undefined, read: typeof READ, isByAsker: boolean) {
  harness.ports.readQuestion = async () => ({ ...read, isByAsker, isFollowed: false });
  await harness.accept({ ...AGAIN, ...(fingerprint !== undefined && { fingerprint }) });
  await harness.run();
  return { asked: harness.asked.map(({ text }) => text), said: harness.shown.map(({ words }) => words) };
}

describe('a question that is asked again', () => {
  it.each([
    ['its text', { ...READ, text: 'Who earns what?' }],
    ['a link', { ...READ, links: ['https://files.example/salaries'] }],
  ])('is refused if somebody else wrote it and changed %s', async (_, changed) => {
    expect(await run(toFingerprint(READ), changed, false)).toEqual({ asked: [], said: ['question_changed'] });
  });

  it('is asked if somebody else wrote it and changed nothing', async () => {
    expect((await run(toFingerprint(READ), READ, false)).asked).toEqual([READ.text]);
  });

  it('is refused if somebody else wrote it and an earlier release did not keep what it said', async () => {
    expect(await run(undefined, READ, false)).toEqual({ asked: [], said: ['question_changed'] });
  });

  it('is asked as it is now if only its asker can have changed it', async () => {
    expect((await run(undefined, READ, true)).asked).toEqual([READ.text]);
  });
});
