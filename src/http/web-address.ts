import { PermanentError } from '../errors.ts';

/** Throws PermanentError (`address_not_https`) for http beyond loopback, because secrets and tokens are sent there. */
export function requireHttps(address: string, name: string): void {
  if (isHttps(address) || isLoopback(address)) return;
  throw new PermanentError('address_not_https', `${name} must begin with https://; http is for this machine only.`);
}

export function isHttps(address: string): boolean {
  return new URL(address).protocol === 'https:';
}

/** Whether the address is on this machine, the only place where plain http is accepted. */
function isLoopback(address: string): boolean {
  const { hostname } = new URL(address);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

export function withoutTrailingSlash(address: string): string {
  return address.replace(/\/+$/, '');
}
