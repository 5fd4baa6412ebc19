import { X509Certificate } from 'node:crypto';
import { BridgeError } from '../errors.ts';
import { createCertificateAuth } from '../identity/client-certificate.ts';
import { error, type Finding, ok, warning } from './finding.ts';

const DAY_MS = 24 * 3_600_000;

/** A new one has to be made, and entered at the identity provider. */
const SOON_DAYS = 30;

/** AUTH_CLIENT_CERTIFICATE, built as the app builds it at its start, and how long it is still good for. */
export function lookAtCertificate(pem: string, now: number): Finding {
  try {
    // The address only goes into what is signed later.
    createCertificateAuth(pem, '');
  } catch (cause) {
    const sentence = cause instanceof BridgeError ? cause.message : 'AUTH_CLIENT_CERTIFICATE: it cannot be used.';
    return error(
      `${sentence} The app does not start with it. Put an RSA private key and its certificate there, in PEM.`,
    );
  }
  return describeLife(new X509Certificate(pem), now);
}

/** It is the identity provider that refuses one that is over: the app starts with it. */
function describeLife({ validFrom, validTo }: X509Certificate, now: number): Finding {
  const day = new Date(validTo).toISOString().slice(0, 10);
  const days = Math.floor((Date.parse(validTo) - now) / DAY_MS);
  const renew = 'Make a new one, add it at the identity provider, put it in AUTH_CLIENT_CERTIFICATE, and restart.';
  if (Date.parse(validTo) <= now) {
    return warning(`AUTH_CLIENT_CERTIFICATE expired on ${day}: an identity provider may refuse it. ${renew}`);
  }
  if (Date.parse(validFrom) > now) {
    return warning(
      `AUTH_CLIENT_CERTIFICATE is not valid before ${new Date(validFrom).toISOString()}. See this clock, too.`,
    );
  }
  if (days < SOON_DAYS) {
    return warning(`AUTH_CLIENT_CERTIFICATE expires on ${day}, in ${days} days. ${renew}`);
  }
  return ok(`AUTH_CLIENT_CERTIFICATE can be used, and is good until ${day}.`);
}
