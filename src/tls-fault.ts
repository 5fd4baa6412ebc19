const UNKNOWN_AUTHORITY =
  'Node does not know the authority that issued the certificate: a private one, or that of a proxy that inspects TLS. Write the authority’s certificate into a PEM file, set NODE_EXTRA_CA_CERTS to its path, and restart. If the authority is a public one, the server does not send its intermediate certificates.';

const WRONG_TIME = 'If this machine’s clock is right, renew it on the server.';

/** What an operator should do about a refused certificate: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const ADVICE: Record<string, string> = {
  CERT_HAS_EXPIRED: `The certificate has expired. ${WRONG_TIME}`,
  CERT_NOT_YET_VALID: `The certificate is not valid yet. ${WRONG_TIME}`,
  CERT_REVOKED: 'The certificate was revoked. Replace it on the server.',
  CERT_UNTRUSTED: UNKNOWN_AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  ERR_TLS_CERT_ALTNAME_INVALID:
    'The certificate is for another host name. Use the name that it was issued for, or replace it on the server.',
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
};

/** The code of a certificate refused in the handshake, before any data was sent. */
export function isCertificateCode(code: string): boolean {
  return code in ADVICE;
}

/** Advice for operators. Undefined: it is another code. */
export function adviseOnCertificate(code: string): string | undefined {
  return ADVICE[code];
}

/** Node's code of a failed connection, such as `ECONNREFUSED`, from an error or its causes. Empty if unknown. */
export function findErrorCode(error: unknown): string {
  // A host with several addresses fails with one error per address.
  if (error instanceof AggregateError) return findErrorCode(error.errors[0]);
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string' && /^[A-Z][A-Z_0-9]+$/.test(error.code)) {
    return error.code === 'UND_ERR_CONNECT_TIMEOUT' ? 'ETIMEDOUT' : error.code;
  }
  return error.name === 'TimeoutError' ? 'ETIMEDOUT' : findErrorCode(error.cause);
}
