import { PermanentError } from '../errors.ts';
import { amend, type Kernel, read, readAll } from '../storage/kernel.ts';

/** Our bot in one workspace, or in a whole Enterprise organisation. */
export type Installation = {
  /** The team that the app is installed in; the enterprise, if it is installed for the whole organisation. */
  workspace: string;
  /** The enterprise id if there is one, else the team id: the `team` of every key. */
  team: string;
  botToken: string;
  botId: string;
  botUserId: string;
};

/** The app is not installed there, so we do not answer requests from there. */
export class UnknownWorkspaceError extends PermanentError {
  constructor(workspace: string) {
    super('unknown_workspace', `not installed in ${workspace}`);
  }
}

/** Finds the installation of a workspace, else that of its `enterprise`. Throws UnknownWorkspaceError. */
export type FindInstallation = (workspace: string, enterprise?: string) => Promise<Installation>;

/** An installation as it is stored after Slack's installation flow. */
export type StoredInstallation = Omit<Installation, 'botToken'> & {
  schema: 1;
  isOrganisation: boolean;
  /** Sealed by the token vault, with `installation:<workspace>` as the record it belongs to. */
  sealedBotToken: string;
  /** Only of apps whose tokens rotate. */
  rotation?: {
    /** Sealed as the token is, with `installation:<workspace>:refresh`. */
    sealedRefreshToken: string;
    /** When the bot token expires: epoch ms. */
    expiresAt: number;
    /** When Slack refused the refresh token: epoch ms. The app has to be installed again. */
    refusedAt?: number;
  };
  /** Slack user id of the person who installed it. */
  installedBy: string;
  /** Epoch ms. */
  installedAt: number;
};

/** Port: the installations, one per workspace. A new installation replaces the old one. */
export type InstallationStore = {
  get(workspace: string): Promise<StoredInstallation | undefined>;
  put(installation: StoredInstallation): Promise<void>;
  /**
   * Replaces an installation only if it still has this `installedAt` and the sealed token `formerToken`: a rotation keeps
   * `installedAt`. False: there is another one by now, or none.
   */
  replace(installation: StoredInstallation, formerToken: string): Promise<boolean>;
  /** Removes an installation only if it still has this `installedAt`: a newer one stays. */
  remove(workspace: string, installedAt: number): Promise<boolean>;
  /** The workspaces we are installed in. */
  list(): Promise<string[]>;
};

const INSTALLATIONS = 'installations';

export function createInstallations(kernel: Kernel): InstallationStore {
  const toWrite = (installation: StoredInstallation) => ({
    put: toKey(installation.workspace),
    body: installation,
    entries: [{ index: INSTALLATIONS }],
  });

  return {
    get: async (workspace) => (await read<StoredInstallation>(kernel, toKey(workspace)))?.body,
    put: async (installation) => void (await kernel.commit([toWrite(installation)])),
    replace: (installation, formerToken) =>
      amend<StoredInstallation>(kernel, [toKey(installation.workspace)], ([found]) => {
        const { installedAt, sealedBotToken } = found?.body ?? {};
        const isSame = installedAt === installation.installedAt && sealedBotToken === formerToken;
        return isSame ? [toWrite(installation)] : undefined;
      }),
    remove: (workspace, installedAt) =>
      amend<StoredInstallation>(kernel, [toKey(workspace)], ([found]) =>
        found?.body.installedAt === installedAt ? [{ drop: found.key }] : undefined,
      ),
    list: async () => (await readAll<StoredInstallation>(kernel, INSTALLATIONS)).map(({ workspace }) => workspace),
  };
}

function toKey(workspace: string): string {
  return `installation:${workspace}`;
}
