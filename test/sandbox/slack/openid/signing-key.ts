import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export type SigningKey = { publicJwk: JWK; sign(claims: Record<string, unknown>): Promise<string> };

let shared: Promise<SigningKey> | undefined;

/** One RSA key per process: making one takes a noticeable part of a second. */
export function readSigningKey(): Promise<SigningKey> {
  shared ??= createSigningKey();
  return shared;
}

async function createSigningKey(): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true });
  const kid = 'sandbox-slack-key';
  return {
    publicJwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' },
    sign: (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' }).sign(privateKey),
  };
}
