/**
 * A server that recognizes one GitHub App by its public key, issues tokens to it and accepts no
 * other tokens.
 */
import { createVerify } from 'node:crypto';
import { getAppKeys } from '../../../../simulators/github/model/app-keys.ts';
import { json, type Loopback, loopback, type Seen } from './loopback.ts';

export interface AppServer extends Loopback {
  readonly app: { readonly kind: 'app'; readonly appId: number; readonly privateKey: string };
  /** Bodies of the token requests. */
  readonly asked: unknown[];
  /** Rejects all existing tokens from now on. */
  revoke(): void;
  /** While set, token requests are rejected with this status. */
  refuses: number | undefined;
}

const APP_ID = 17;
const LIFETIME_MS = 3_600_000;
/**
 * If a request contains `slowly`, the server decides at once whether to accept it, but responds
 * only after this delay. Two other requests fit into the delay.
 */
const SLOW_MS = 300;
export const INSTALLATION_ID = 4_711;

export async function appServer(installedOn = '/repos/acme/widgets/installation'): Promise<AppServer> {
  const { publicKey, privateKey } = getAppKeys(0);
  const valid = new Set<string>();
  const asked: unknown[] = [];
  let serial = 0;

  function answer({ path, headers, body }: Seen): readonly [number, unknown] {
    const bearer = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    const rest = path.replace('/api/v3', '');
    if (rest.startsWith('/app/') || rest.endsWith('/installation')) {
      if (!signedBy(publicKey, bearer)) return [401, { message: 'A JSON web token could not be decoded' }];
      if (rest === installedOn) return [200, { id: INSTALLATION_ID }];
      if (rest !== `/app/installations/${INSTALLATION_ID}/access_tokens`)
        return [404, { message: 'Not Found' }];
      if (server.refuses !== undefined) return [server.refuses, { message: 'not now' }];
      serial += 1;
      const token = `ghs_canary${`${serial}`.padStart(30, '0')}`;
      valid.add(token);
      asked.push(body === '' ? {} : JSON.parse(body));
      const expires_at = new Date(Date.now() + LIFETIME_MS).toISOString();
      return [201, { token, expires_at, permissions: { issues: 'write', contents: 'read' } }];
    }
    if (!valid.has(bearer)) return [401, { message: 'Bad credentials' }];
    if (rest.startsWith('/users/')) return [200, { id: 99, login: decodeURIComponent(rest.slice(7)) }];
    return [200, { data: { viewer: { login: 'legion-impl[bot]' } } }];
  }

  const base = await loopback(async (response, seen) => {
    const decided = answer(seen);
    if (seen.body.includes('slowly')) await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    json(response, ...decided);
  });
  const server: AppServer = {
    ...base,
    [Symbol.asyncDispose]: () => base[Symbol.asyncDispose](),
    app: { kind: 'app', appId: APP_ID, privateKey },
    asked,
    revoke: () => valid.clear(),
    refuses: undefined,
  };
  return server;
}

function signedBy(publicKey: string, jwt: string): boolean {
  const [head = '', claims = '', signature = ''] = jwt.split('.');
  const verified = createVerify('RSA-SHA256')
    .update(`${head}.${claims}`)
    .verify(publicKey, signature, 'base64url');
  if (!verified) return false;
  const { iss, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as {
    iss: number;
    exp: number;
  };
  return Number(iss) === APP_ID && exp * 1_000 > Date.now();
}
