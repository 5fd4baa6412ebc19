// X.509 certificates, which Node reads and does not make.
import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { isIPv4 } from 'node:net';
import forge, { type pki as Pki } from 'node-forge';

const { asn1, md, pki } = forge;

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
  const certificate = buildCertificate({ commonName, privateKey, publicKey });
  return Buffer.from(asn1.toDer(pki.certificateToAsn1(certificate)).getBytes(), 'latin1');
}

function buildCertificate(subject: Name, options: CertificateOptions = {}): Pki.Certificate {
  const { issuer = subject, hosts = [], isAuthority = false, expiresAt = Date.now() + YEAR_MS } = options;
  const certificate = pki.createCertificate();
  certificate.publicKey = pki.publicKeyFromPem(String(subject.publicKey.export({ format: 'pem', type: 'spki' })));
  // The leading byte keeps the serial number positive.
  certificate.serialNumber = `01${randomBytes(8).toString('hex')}`;
  certificate.validity.notBefore = new Date(Math.min(Date.now(), expiresAt) - HOUR_MS);
  certificate.validity.notAfter = new Date(expiresAt);
  certificate.setSubject([{ name: 'commonName', value: subject.commonName }]);
  certificate.setIssuer([{ name: 'commonName', value: issuer.commonName }]);
  const altNames = hosts.map((host) => (isIPv4(host) ? { type: 7, ip: host } : { type: 2, value: host }));
  certificate.setExtensions([
    ...(isAuthority ? [{ name: 'basicConstraints', cA: true }] : []),
    ...(altNames.length > 0 ? [{ name: 'subjectAltName', altNames }] : []),
  ]);
  const key = String(issuer.privateKey.export({ format: 'pem', type: 'pkcs8' }));
  certificate.sign(pki.privateKeyFromPem(key), md.sha256.create());
  return certificate;
}

/** In PEM. */
export type ServerIdentity = { key: string; cert: string };

export type PrivateAuthority = ReturnType<typeof createPrivateAuthority>;

/** An authority that nobody knows unless told. */
export function createPrivateAuthority() {
  const authority = { commonName: 'Sandbox Authority', ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
  return {
    /** Its own certificate in PEM, for NODE_EXTRA_CA_CERTS. */
    certificate: pki.certificateToPem(buildCertificate(authority, { isAuthority: true })),
    issue(hosts: readonly string[], options: { expiresAt?: number } = {}): ServerIdentity {
      const server = { commonName: hosts[0] ?? '', ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
      return {
        key: String(server.privateKey.export({ format: 'pem', type: 'pkcs8' })),
        cert: pki.certificateToPem(buildCertificate(server, { issuer: authority, hosts, ...options })),
      };
    },
  };
}
