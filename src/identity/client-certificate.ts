import { createHash, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { type ClientAuth, modifyAssertion, PrivateKeyJwt } from 'openid-client';
import { PermanentError } from '../errors.ts';

/**
 * Client authentication by certificate: private_key_jwt with PS256. The header names the certificate's thumbprint.
 * `pem` holds an RSA private key and its certificate. Throws PermanentError (`client_certificate_invalid`) with a
 * sentence for the operator.
 */
export function createCertificateAuth(pem: string, tokenEndpoint: string): ClientAuth {
  const key = readPrivateKey(pem);
  const certificate = readCertificate(pem);
  if (!certificate.checkPrivateKey(key)) throw invalid('the private key does not belong to the certificate.');
  const thumbprint = createHash('sha256').update(certificate.raw).digest('base64url');
  const signingKey = key.toCryptoKey({ name: 'RSA-PSS', hash: 'SHA-256' }, false, ['sign']);
  return PrivateKeyJwt(signingKey, {
    [modifyAssertion](header, payload) {
      header['x5t#S256'] = thumbprint;
      // openid-client sends the issuer; providers from before RFC 7523bis expect the endpoint.
      payload.aud = tokenEndpoint;
    },
  });
}

function readPrivateKey(pem: string): KeyObject {
  const block = /-----BEGIN ((?:RSA )?PRIVATE KEY)-----[^-]+-----END \1-----/.exec(pem)?.[0];
  if (block === undefined) throw invalid('there is no unencrypted private key in it.');
  const key = parsePem(() => createPrivateKey(block), 'the private key cannot be read.');
  if (key.asymmetricKeyType !== 'rsa') throw invalid('the private key is not an RSA key.');
  return key;
}

function readCertificate(pem: string): X509Certificate {
  const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/.exec(pem)?.[0];
  if (block === undefined) throw invalid('there is no certificate in it.');
  return parsePem(() => new X509Certificate(block), 'the certificate cannot be read.');
}

function parsePem<T>(parse: () => T, problem: string): T {
  try {
    return parse();
  } catch {
    throw invalid(problem);
  }
}

function invalid(problem: string): PermanentError {
  return new PermanentError('client_certificate_invalid', `AUTH_CLIENT_CERTIFICATE: ${problem}`);
}
