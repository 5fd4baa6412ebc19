import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PermanentError } from '../errors.ts';

/** What an operator sets instead if the port cannot be opened: a variable, and what else it may be. */
export type PortSetting = { variable: string; alternative: string };

/** Opens the port on all interfaces and resolves with its number. Throws a PermanentError with a sentence for the operator. */
export async function listen(server: Server, port: number, setting: PortSetting): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(toListenError(port, error, setting)));
    server.listen(port, resolve);
  });
  return (server.address() as AddressInfo).port;
}

function toListenError(port: number, error: NodeJS.ErrnoException, setting: PortSetting): PermanentError {
  const { variable, alternative } = setting;
  const sentence =
    error.code === 'EADDRINUSE'
      ? `Port ${port} is in use by another process. End that one, or set ${variable} to ${alternative}.`
      : `Port ${port} cannot be listened on (${error.code}). Set ${variable} to one that this process may use.`;
  return new PermanentError('port_not_opened', sentence, { cause: error });
}
