import { describe, expect, it } from 'vitest';
import { readSource } from '../../../src/slack/installations/request-source.ts';

const event = { type: 'message' };

describe('the source of', () => {
  it.each([
    ['an event', { event, team_id: 'T1' }, 'T1', undefined],
    [
      'an event of an organisation’s team',
      { event, team_id: 'T1', enterprise_id: 'E1', authorizations: [{ team_id: 'T1', enterprise_id: 'E1' }] },
      'T1',
      'E1',
    ],
    [
      'an event of a shared channel is the team through which we got it',
      {
        event,
        team_id: 'T9',
        enterprise_id: 'E9',
        context_team_id: 'T1',
        context_enterprise_id: null,
        authorizations: [{ team_id: 'T1', enterprise_id: null }],
      },
      'T1',
      undefined,
    ],
    [
      'an older event of a shared channel is the team that authorized us',
      { event, team_id: 'T9', enterprise_id: 'E9', authorizations: [{ team_id: 'T1', enterprise_id: null }] },
      'T1',
      undefined,
    ],
    ['the end of an installation', { event, team_id: 'T1', enterprise_id: 'E1' }, 'T1', 'E1'],
    ['the end of an organisation’s installation', { event, team_id: null, enterprise_id: 'E1' }, 'E1', 'E1'],
    ['a command', { command: '/x', team_id: 'T1', enterprise_id: 'E1' }, 'T1', 'E1'],
    ['a click', { type: 'block_actions', team: { id: 'T1', domain: 'd' }, enterprise: null }, 'T1', undefined],
    [
      'a click where the app is installed for the organisation is the person’s team',
      { type: 'block_actions', team: null, enterprise: { id: 'E1' }, user: { id: 'U1', team_id: 'T1' } },
      'T1',
      'E1',
    ],
    [
      'a modal that was opened in somebody else’s team is where the app is installed',
      { type: 'view_submission', team: { id: 'T9' }, view: { app_installed_team_id: 'T1' } },
      'T1',
      undefined,
    ],
    ['nothing that we know is nowhere', { type: 'block_actions' }, '', undefined],
    ['rubbish is nowhere', { event, team_id: 7, authorizations: 'none', enterprise_id: {} }, '', undefined],
  ])('%s', (_, body, workspace, enterprise) => {
    expect(readSource(body)).toEqual({ workspace, enterprise });
  });
});
