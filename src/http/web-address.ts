export function isHttps(address: string): boolean {
  return new URL(address).protocol === 'https:';
}

export function withoutTrailingSlash(address: string): string {
  return address.replace(/\/+$/, '');
}
