import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { ReadValue } from './config-values.ts';

/** A file of certificates in PEM. Checked here, because Node only warns if it cannot use the file. */
export const certificateFile: ReadValue<string> = (path) => {
  if (readCertificates(path).length > 0) return path;
  throw new Error('names a file without a certificate in PEM (-----BEGIN CERTIFICATE-----)');
};

/**
 * Trusts the authorities of NODE_EXTRA_CA_CERTS if Node does not do so itself: Node reads the variable before `.env` is
 * read.
 */
export function trustCertificates(path: string): void {
  if (getCACertificates('extra').length > 0) return;
  setDefaultCACertificates([...getCACertificates('default'), ...readCertificates(path)]);
}

function readCertificates(path: string): string[] {
  try {
    const blocks = readFileSync(path, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    return blocks.map((block) => new X509Certificate(block).toString());
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown reason';
    throw new Error(`names a file that cannot be read (${code})`);
  }
}
