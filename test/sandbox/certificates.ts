// Node reads X.509 certificates but makes none, so the few DER structures of one are written here (RFC 5280, 4.1).
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const NULL = Buffer.from([0x05, 0x00]);
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const VERSION_TAG = 0xa0;
const EXTENSIONS_TAG = 0xa3;
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;
const SHA256_WITH_RSA = Buffer.from('06092a864886f70d01010b', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const BASIC_CONSTRAINTS = Buffer.from('0603551d13', 'hex');
const IS_AUTHORITY = Buffer.from('30030101ff', 'hex');
const ALTERNATIVE_NAMES = Buffer.from('0603551d11', 'hex');

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 86_400_000;

type Name = { commonName: string; privateKey: KeyObject; publicKey: KeyObject };

type CertificateOptions = {
  /** Who signs it; itself unless told otherwise. */
  issuer?: Name;
  /** Host names and IPv4 addresses. */
  hosts?: readonly string[];
  isAuthority?: boolean;
  /** Until when it is valid, in epoch ms: for a year unless told otherwise. */
  expiresAt?: number;
};

/** The DER of a version 3 certificate for an RSA key, valid from an hour ago for a year. */
export function buildSelfSignedCertificate(privateKey: KeyObject, publicKey: KeyObject, commonName: string): Buffer {
  return buildCertificate({ commonName, privateKey, publicKey });
}

function buildCertificate(subject: Name, options: CertificateOptions = {}): Buffer {
  const { issuer = subject, hosts = [], isAuthority = false, expiresAt = Date.now() + YEAR_MS } = options;
  const algorithm = tag(SEQUENCE, SHA256_WITH_RSA, NULL);
  const validity = tag(SEQUENCE, time(Math.min(Date.now(), expiresAt) - HOUR_MS), time(expiresAt));
  const version = tag(VERSION_TAG, tag(INTEGER, Buffer.from([2])));
  // The leading byte keeps the serial number positive.
  const serial = tag(INTEGER, Buffer.concat([Buffer.from([0x01]), randomBytes(8)]));
  const keyInfo = subject.publicKey.export({ format: 'der', type: 'spki' });
  const extensions = [
    ...(isAuthority ? [tag(SEQUENCE, BASIC_CONSTRAINTS, tag(OCTET_STRING, IS_AUTHORITY))] : []),
    ...(hosts.length > 0 ? [tag(SEQUENCE, ALTERNATIVE_NAMES, tag(OCTET_STRING, toHostNames(hosts)))] : []),
  ];
  const rest = extensions.length > 0 ? [tag(EXTENSIONS_TAG, tag(SEQUENCE, ...extensions))] : [];
  const names = [toName(issuer), validity, toName(subject)];
  const body = tag(SEQUENCE, version, serial, algorithm, ...names, keyInfo, ...rest);
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', body, issuer.privateKey)]);
  return tag(SEQUENCE, body, algorithm, tag(BIT_STRING, signature));
}

/** In PEM. */
export type ServerIdentity = { key: string; cert: string };

export type PrivateAuthority = {
  /** Its own certificate in PEM, for NODE_EXTRA_CA_CERTS. */
  readonly certificate: string;
  issue(hosts: readonly string[], options?: { expiresAt?: number }): ServerIdentity;
};

/** An authority that nobody knows unless told. */
export function createPrivateAuthority(): PrivateAuthority {
  const authority = { commonName: 'Sandbox Authority', ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
  return {
    certificate: toPem(buildCertificate(authority, { isAuthority: true })),
    issue(hosts, options = {}) {
      const server = { commonName: hosts[0] ?? '', ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
      return {
        key: String(server.privateKey.export({ format: 'pem', type: 'pkcs8' })),
        cert: toPem(buildCertificate(server, { issuer: authority, hosts, ...options })),
      };
    },
  };
}

function toPem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function toName({ commonName }: Name): Buffer {
  return tag(SEQUENCE, tag(SET, tag(SEQUENCE, COMMON_NAME, tag(UTF8_STRING, Buffer.from(commonName)))));
}

function toHostNames(hosts: readonly string[]): Buffer {
  const names = hosts.map((host) =>
    isIPv4(host) ? tag(IP_ADDRESS, Buffer.from(host.split('.').map(Number))) : tag(DNS_NAME, Buffer.from(host)),
  );
  return tag(SEQUENCE, ...names);
}

function tag(type: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([type]), length(content.length), content]);
}

function length(size: number): Buffer {
  if (size < 0x80) return Buffer.from([size]);
  if (size < 0x100) return Buffer.from([0x81, size]);
  return Buffer.from([0x82, size >> 8, size & 0xff]);
}

function time(epochMs: number): Buffer {
  const digits = new Date(epochMs).toISOString().replace(/[-:T]/g, '').slice(2, 14);
  return tag(UTC_TIME, Buffer.from(`${digits}Z`));
}
