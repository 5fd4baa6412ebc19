// The part of oidc-provider that the stand-in uses; the package brings no types of its own.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export type Context = {
    readonly req: IncomingMessage;
    readonly res: ServerResponse;
    readonly method: string;
    readonly path: string;
    querystring: string;
    status: number;
    type: string;
    body: unknown;
    respond?: boolean;
    redirect(url: string): void;
    readonly oidc: {
      readonly body?: Readonly<Record<string, unknown>>;
      readonly params: Readonly<Record<string, unknown>>;
      readonly account?: { readonly accountId: string };
    };
  };

  export type Interaction = {
    readonly uid: string;
    readonly prompt: { readonly name: string };
    readonly params: Readonly<Record<string, unknown>>;
  };

  export type ProviderError = Error & { readonly error: string; readonly error_detail?: string };
  type Saved = { save(): Promise<string> };
  type TokenOwner = { readonly accountId: string; readonly clientId: string };

  export class Provider {
    constructor(issuer: string, configuration: object);
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): this;
    on(event: string, listener: (context: Context, error: ProviderError) => void): this;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
    readonly Grant: new (
      owner: TokenOwner,
    ) => Saved & { addOIDCScope(scope: string): void };
    readonly AccessToken: {
      find(token: string): Promise<{ readonly accountId: string; readonly scope?: string } | undefined>;
    };
    /** The request being served, wherever its asynchronous work has got to. */
    static readonly ctx: Context | undefined;
  }

  export const errors: {
    readonly InvalidRequest: new (description: string) => Error;
    readonly InvalidScope: new (description: string, scope?: string) => Error;
    readonly InvalidClientAuth: new (detail: string) => Error;
    readonly SessionNotFound: new (...rest: never[]) => Error;
  };
}
