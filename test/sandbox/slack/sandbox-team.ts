/** One team of the sandbox, as tests and the demo use it. */
import type { DeliveryResult } from './delivery.ts';
import { type EndOptions, endInstall, tellEnd } from './end-install.ts';
import type { EventOptions } from './events.ts';
import { leaveMessage, leaveModal, type OldMessage } from './leave-behind.ts';
import { createPerson, type Person } from './people/person.ts';
import { type MessageRef, unfurl } from './people/speak.ts';
import type { Json, Message, View } from './records.ts';
import type { Workspace } from './workspace.ts';
import type { World } from './world.ts';

export type SandboxTeam = {
  readonly teamId: string;
  readonly workspace: Workspace;
  as(userId: string): Person;
  /** Sends any event in a fresh envelope, if the app is installed here and subscribed to it. */
  emit(event: Json & { type: string }, options?: EventOptions): Promise<DeliveryResult[]>;
  /** Slack puts a preview of a link below a message: a change of it that nobody made. */
  unfurl(message: MessageRef, address: string): Promise<DeliveryResult[]>;
  /** A message of the app that is there already, as an earlier release may have left it. */
  leaveMessage(message: OldMessage): Message;
  /** A modal of the app that somebody has open already, as an earlier release may have left it. */
  leaveModal(userId: string, view: Json): View;
  /** Installs the app without the pages; returns its bot token. `enterprise`: in the whole organisation. */
  install(where?: 'team' | 'enterprise'): string;
  /** The token of the installation through which the app is here, if it is. */
  token(): string | undefined;
  /** A person takes the app away from here, or from the whole organisation; resolves when the app got to know. */
  uninstall(options?: EndOptions & { where?: 'team' | 'enterprise' }): Promise<DeliveryResult[]>;
  /** The bot token is revoked: the app stays on the list, and can do nothing. */
  revokeToken(options?: EndOptions): Promise<DeliveryResult[]>;
  /** Only tells the app that it was uninstalled: late, or once more. */
  tellUninstalled(options?: EndOptions & { where?: 'team' | 'enterprise' }): Promise<DeliveryResult[]>;
};

export function createTeamControls(world: World): SandboxTeam {
  const { workspace, installs } = world;
  const { team } = workspace;
  const people = new Map<string, Person>();
  const place = (where: 'team' | 'enterprise' = 'team') => {
    const isEnterprise = where === 'enterprise';
    if (isEnterprise && !team.enterprise) throw new Error(`${team.id} belongs to no organisation.`);
    return { id: (isEnterprise && team.enterprise?.id) || team.id, isEnterprise };
  };
  const standing = (where?: 'team' | 'enterprise') => {
    const install = where ? installs.of(place(where).id) : world.install();
    if (!install) throw new Error(`The app is not installed in ${place(where).id}.`);
    return install;
  };
  return {
    teamId: team.id,
    workspace,
    as(userId) {
      const person = people.get(userId) ?? createPerson(world, workspace.user(userId).id);
      people.set(userId, person);
      return person;
    },
    emit: (event, options) => world.events.emit(event, options),
    unfurl: (message, address) => unfurl(world, message, address),
    leaveMessage: (message) => leaveMessage(world, message),
    leaveModal: (userId, view) => leaveModal(world, userId, view),
    install: (where) => installs.add(place(where)).token,
    token: () => world.install()?.token,
    uninstall: ({ where, ...options } = {}) => endInstall(world, standing(where), 'account_inactive', options),
    revokeToken: (options) => endInstall(world, standing(), 'token_revoked', options),
    tellUninstalled: ({ where, ...options } = {}) =>
      tellEnd(world, place(where), { events: ['app_uninstalled'], ...options }),
  };
}
