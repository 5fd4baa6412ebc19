import type { NewUser, Workspace } from './workspace.ts';

const OTHER_TEAM = 'T0OTHER';

const PEOPLE: NewUser[] = [
  { id: 'U0ANA', name: 'ana', realName: 'Ana Alvarez', email: 'ana@acme.example', tz: 'America/Los_Angeles' },
  { id: 'U0BEN', name: 'ben', realName: 'Ben Brandt', email: 'ben@acme.example', tz: 'Europe/Berlin' },
  { id: 'U0KIM', name: 'kim', realName: 'Kim Kato', email: 'kim@acme.example', tz: 'Asia/Tokyo', isAdmin: true },
  {
    id: 'U0GUEST',
    name: 'gus',
    realName: 'Gus Guest',
    email: 'gus@guest.example',
    tz: 'Europe/Paris',
    isRestricted: true,
  },
  { id: 'U0GONE', name: 'dora', realName: 'Dora Departed', tz: 'Europe/Rome', deleted: true },
  { id: 'U0STRANGER', teamId: OTHER_TEAM, name: 'sam', realName: 'Sam Stranger', isStranger: true },
  { id: 'U0OTHERBOT', name: 'buildbot', realName: 'Build Bot', isBot: true, appId: 'A0OTHER', botId: 'B0OTHER' },
];

/** Fills the workspace with a small company; every id is listed in the README of this folder. */
export function seedWorld(workspace: Workspace): void {
  for (const person of PEOPLE) workspace.addUser(person);
  const bot = workspace.app.botUserId;
  const staff = ['U0ANA', 'U0BEN', 'U0KIM'];
  workspace.addChannel({ id: 'C0GENERAL', name: 'general', members: [...staff, 'U0OTHERBOT', bot] });
  workspace.addChannel({ id: 'C0PROJECT', name: 'project', members: [...staff, 'U0GUEST', bot] });
  workspace.addChannel({ id: 'C0FINANCE', name: 'finance', kind: 'private', members: ['U0ANA', 'U0KIM', bot] });
  workspace.addChannel({ id: 'C0RANDOM', name: 'random', members: staff });
  workspace.addChannel({ id: 'C0SECRET', name: 'secret', kind: 'private', members: ['U0KIM'] });
  workspace.addChannel({ id: 'C0PARTNER', name: 'partner', members: [...staff, 'U0STRANGER', bot], isExtShared: true });
  workspace.addChannel({
    id: 'C0GROUPDM',
    name: 'mpdm-ana--ben--bridge-1',
    kind: 'mpim',
    members: ['U0ANA', 'U0BEN', bot],
  });
  workspace.usergroups.set('S0ADMINS', { handle: 'admins', users: new Set(['U0KIM']) });
}
