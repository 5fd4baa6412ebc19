// The delegated scopes of the sandbox: the identity provider's stand-in issues them, the two others ask for them.
export const ASSISTANT_SCOPE = 'api://assistant.sandbox/Agent.Ask';
export const ADMIN_SCOPE = 'api://admin.sandbox/Licensing.ReadWrite';

/** The resource that a scope belongs to: `api://assistant.sandbox/` for the first of them. */
export function toAudience(scope: string): string {
  return scope.slice(0, scope.lastIndexOf('/') + 1);
}
