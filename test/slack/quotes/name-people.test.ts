import sinon from 'sinon';
import { expect, it } from 'vitest';
import { type Namers, nameMentioned } from '../../../src/slack/quotes/name-people.ts';
import { SlackRateLimitedError } from '../../../src/slack/web/slack-errors.ts';
import { NAMERS } from '../a-slack.ts';
import { only } from '../only.ts';

const TEXT = 'who of @S0614TZR7 is in, and of @S0999AAA9? Not @SUPPORT, @SPRINT2026 or root@SQLPROD01.corp.example.';

const asker = { team: 'T1', user: 'U1' };

function name(handles: Namers['groups']['handles'], workspace = 'T1', homeTeam?: string) {
  const people = only<Namers['people']>({ known: () => (homeTeam ? only({ name: 'Ana', homeTeam }) : undefined) });
  return nameMentioned(TEXT, { workspace, asker }, { ...NAMERS, people, groups: { handles } });
}

it('a user group is named by its handle, with one call, and all else stays', async () => {
  const handles = sinon.fake.resolves(new Map([['S0614TZR7', 'design']]));

  expect(await name(handles)).toBe(TEXT.replace('S0614TZR7', 'design'));
  expect(handles.args).toEqual([[{ workspace: 'T1', homeTeam: undefined }]]);
});

it('a user group keeps its id where Slack does not say', async () => {
  const failing = () => Promise.reject(new SlackRateLimitedError('usergroups.list', 1_000));

  expect(await name(failing)).toBe(TEXT);
});

it('a user group is looked for in the team of the asker, where the app is installed for an organisation', async () => {
  const handles = sinon.fake.resolves(new Map<string, string>());

  await name(handles, 'E1');
  await name(handles, 'E1', 'T12');

  expect(handles.args).toEqual([[{ workspace: 'E1', homeTeam: 'T12' }]]);
});
