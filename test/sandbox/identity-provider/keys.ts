// Keys of the identity provider and the certificate of its client, made once per process: RSA keys are slow to make.
import { createHash, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { buildSelfSignedCertificate } from '../certificates.ts';

export type ClientCertificate = {
  /** PKCS #8, PEM. */
  readonly key: string;
  /** X.509, PEM. */
  readonly certificate: string;
  /** SHA-256 of the certificate's DER, base64url: the `x5t#S256` header that an assertion has to carry. */
  readonly thumbprint: string;
};

export type Jwk = Record<string, unknown>;

const generate = promisify(generateKeyPair);
const makePair = (): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> =>
  generate('rsa', { modulusLength: 2048 });

let signingPair: ReturnType<typeof makePair> | undefined;
let clientPair: ReturnType<typeof makePair> | undefined;

export async function readSigningJwk(): Promise<Jwk> {
  signingPair ??= makePair();
  const { privateKey } = await signingPair;
  return { ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'sandbox-signing-key' };
}

export async function readClientCertificate(): Promise<{ certificate: ClientCertificate; publicJwk: Jwk }> {
  clientPair ??= makePair();
  const { privateKey, publicKey } = await clientPair;
  const der = buildSelfSignedCertificate(privateKey, publicKey, 'assistant-bridge-sandbox');
  const body = der.toString('base64').replace(/.{1,64}/g, '$&\n');
  return {
    certificate: {
      key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
      certificate: `-----BEGIN CERTIFICATE-----\n${body}-----END CERTIFICATE-----\n`,
      thumbprint: createHash('sha256').update(der).digest('base64url'),
    },
    publicJwk: { ...publicKey.export({ format: 'jwk' }), use: 'sig' },
  };
}
