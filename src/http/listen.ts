import type { Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { PermanentError } from '../errors.ts';

/** For the error if the port cannot be opened: the variables to set, and other values for the port. */
export type PortSetting = { port: string; host: string; alternative: string };

/** Where a server listens. `host`: an IP address of this machine, or `*` for all. */
export type Place = { host: string; port: number };

/** Opens the port and resolves with its number. Throws a PermanentError with a sentence for the operator. */
export async function listen(server: Server, { host, port }: Place, setting: PortSetting): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(toListenError({ host, port }, error, setting)));
    if (host === '*') server.listen(port, resolve);
    else server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** The address for programs on the same machine. */
export function toLocalUrl({ host, port }: Place): string {
  if (['*', '0.0.0.0', '::'].includes(host)) return `http://127.0.0.1:${port}`;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

function toListenError({ host, port }: Place, error: NodeJS.ErrnoException, setting: PortSetting): PermanentError {
  const sentences: Partial<Record<string, string>> = {
    EADDRINUSE: `Port ${port} is in use by another process. End that process, or set ${setting.port} to ${setting.alternative}.`,
    EADDRNOTAVAIL: `This machine does not have the address ${host}. Set ${setting.host} to one that it has, or to * for all.`,
  };
  const sentence =
    sentences[error.code ?? ''] ??
    `Port ${port} cannot be opened (${error.code}). Set ${setting.port} to one that this process may use.`;
  return new PermanentError('port_not_opened', sentence, { cause: error });
}
