import sinon from 'sinon';
import { expect, it } from 'vitest';
import { type Namers, nameMentioned } from '../../../src/slack/quotes/name-people.ts';
import { SlackRateLimitedError } from '../../../src/slack/web/slack-errors.ts';
import { NAMERS } from '../a-slack.ts';
import { only } from '../only.ts';

const TEXT = 'who of @S0614TZR7 is in, and of @S0999AAA9? Not @SUPPORT.';

const asker = { team: 'T1', user: 'U1' };

function name(handles: Namers['groups']['handles'], workspace = 'T1', homeTeam?: string) {
  const people = only<Namers['people']>({ known: () => (homeTeam ? only({ name: 'Ana', homeTeam }) : undefined) });
  return nameMentioned(TEXT, { workspace, asker }, { ...NAMERS, people, groups: { handles } });
}

it('a user group is named by its handle, and any other one as a group, with one call', async () => {
  const handles = sinon.fake.resolves(new Map([['S0614TZR7', 'design']]));

  expect(await name(handles)).toBe('who of @design is in, and of @group? Not @SUPPORT.');
  expect(handles.args).toEqual([[{ workspace: 'T1', homeTeam: undefined }]]);
});

it('a user group is called a group where Slack does not say', async () => {
  const failing = () => Promise.reject(new SlackRateLimitedError('usergroups.list', 1_000));

  expect(await name(failing)).toBe('who of @group is in, and of @group? Not @SUPPORT.');
});

it('a user group is looked for in the team of the asker, where the app is installed for an organisation', async () => {
  const handles = sinon.fake.resolves(new Map<string, string>());

  await name(handles, 'E1');
  await name(handles, 'E1', 'T12');

  expect(handles.args).toEqual([[{ workspace: 'E1', homeTeam: 'T12' }]]);
});
