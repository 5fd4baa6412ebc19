/** One team of the sandbox, as tests and the demo use it. */

import type { EventOptions } from './events.ts';
import { type EndOptions, endInstall, tellEnd } from './installs.ts';
import { createPerson, type Person } from './people/person.ts';
import { leaveMessage, type OldMessage } from './post-message.ts';
import type { Json } from './records.ts';
import type { World } from './world.ts';

type Where = 'team' | 'enterprise';

export type SandboxTeam = ReturnType<typeof createTeamControls>;

export function createTeamControls(world: World) {
  const { workspace, installs } = world;
  const { team } = workspace;
  const people = new Map<string, Person>();
  const place = (where: Where = 'team') => {
    const isEnterprise = where === 'enterprise';
    if (isEnterprise && !team.enterprise) throw new Error(`${team.id} belongs to no organisation.`);
    return { id: (isEnterprise && team.enterprise?.id) || team.id, isEnterprise };
  };
  const standing = (where: Where | undefined) => {
    const install = where ? installs.of(place(where).id) : world.install();
    if (!install) throw new Error(`The app is not installed in ${place(where).id}.`);
    return install;
  };
  return {
    teamId: team.id,
    workspace,
    as(userId: string): Person {
      const person = people.get(userId) ?? createPerson(world, workspace.user(userId).id);
      people.set(userId, person);
      return person;
    },
    /** Sends any event in a fresh envelope, if the app is installed here and subscribed to it. */
    emit: (event: Json & { type: string }, options?: EventOptions) => world.events.emit(event, options),
    /** A message of the app that is there already, as an earlier release may have left it. */
    leaveMessage: (message: OldMessage) => leaveMessage(world, message),
    /** Installs the app without the pages; returns its bot token. `enterprise`: in the whole organisation. */
    install: (where?: Where) => installs.add(place(where)).token,
    /** The token of the installation through which the app is here, if it is. */
    token: () => world.install()?.token,
    /** A person takes the app away from here, or from the whole organisation; resolves when the app got to know. */
    uninstall: ({ where, ...options }: EndOptions & { where?: Where } = {}) =>
      endInstall(world, standing(where), 'account_inactive', options),
    /** Only tells the app that it was uninstalled: late, or once more. */
    tellUninstalled: ({ where, ...options }: EndOptions & { where?: Where } = {}) =>
      tellEnd(world, place(where), { events: ['app_uninstalled'], ...options }),
  };
}
