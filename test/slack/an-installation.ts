import type { Installation } from '../../src/slack/installation.ts';

export const INSTALLATION: Installation = {
  workspace: 'T1',
  team: 'T1',
  botToken: 'xoxb',
  botId: 'B1',
  botUserId: 'UBOT',
};
