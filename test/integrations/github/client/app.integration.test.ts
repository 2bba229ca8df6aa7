import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type AppServer, appServer, INSTALLATION_ID } from './app-server.ts';
import { faultOf, movableClock } from './loopback.ts';

const place = { owner: 'acme', repo: 'widgets' };
const never = new AbortController().signal;
const ask = (client: ReturnType<AppServer['client']>) => client.query('query { x }', {}, { signal: never });
const tokenRequests = ({ seen }: AppServer) =>
  seen.filter(({ path }) => path.endsWith('/access_tokens')).length;

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('a GitHub App', () => {
  it('finds its installation through the repository, and acts with a token of that installation', async () => {
    await using server = await appServer();
    const client = server.client({ identities: { legion: server.app }, place });
    expect(await client.login()).toBe('legion-impl[bot]');
    await ask(client);
    expect(server.seen.map(({ path }) => path.replace('/api/v3', ''))).toEqual([
      '/repos/acme/widgets/installation',
      `/app/installations/${INSTALLATION_ID}/access_tokens`,
      '/api/graphql',
      '/api/graphql',
    ]);
    expect(server.asked).toEqual([{}]);
  });

  it.each(['/orgs/acme/installation', '/users/acme/installation'])(
    'finds its installation at %s',
    async (installedOn) => {
      await using server = await appServer(installedOn);
      expect(await server.client({ identities: { legion: server.app }, place }).login()).toBe(
        'legion-impl[bot]',
      );
    },
  );

  it('reports that it is not installed, and checks again on the next call', async () => {
    await using server = await appServer('/repos/other/other/installation');
    const client = server.client({ identities: { legion: server.app }, place });
    const fault = await faultOf(client.login());
    expect(fault).toMatchObject({ code: 'github.missing', message: expect.stringContaining('acme/widgets') });
    await faultOf(client.login());
    expect(server.seen).toHaveLength(6);
  });

  it('uses a configured installation without searching for it', async () => {
    await using server = await appServer('nowhere');
    const legion = { ...server.app, installationId: INSTALLATION_ID };
    expect(await server.client({ identities: { legion } }).login()).toBe('legion-impl[bot]');
    const lost = server.client({ identities: { legion: server.app } });
    expect((await faultOf(lost.login())).code).toBe('github.unauthorized');
  });

  it('requests a single token even if several callers need one at once', async () => {
    await using server = await appServer();
    const client = server.client({ identities: { legion: server.app }, place });
    await Promise.all(Array.from({ length: 10 }, () => ask(client)));
    expect(tokenRequests(server)).toBe(1);
    expect(server.seen.filter(({ path }) => path.endsWith('/installation'))).toHaveLength(1);
  });

  it('renews its token five minutes before it expires', async () => {
    await using server = await appServer();
    const clock = movableClock();
    const client = server.client({ identities: { legion: server.app }, place, clock });
    await ask(client);
    clock.forward(54 * 60_000);
    await ask(client);
    expect(tokenRequests(server)).toBe(1);
    clock.forward(2 * 60_000);
    await Promise.all([ask(client), ask(client), ask(client)]);
    expect(tokenRequests(server)).toBe(2);
  });

  it('when GitHub rejects its token, renews it once for all callers', async () => {
    await using server = await appServer();
    const client = server.client({ identities: { legion: server.app }, place });
    await ask(client);
    server.revoke();
    await Promise.all([ask(client), ask(client), ask(client)]);
    expect(tokenRequests(server)).toBe(2);
  });

  it('does not renew its token again if a rejection of the old token arrives late', async () => {
    await using server = await appServer();
    const client = server.client({ identities: { legion: server.app }, place });
    await ask(client);
    server.revoke();
    const late = client.query('query { slowly }', {}, { signal: never });
    await until(() => server.seen.some(({ body }) => body.includes('slowly')));
    await ask(client);
    await late;
    expect(tokenRequests(server)).toBe(2);
  });

  it('reports a rejection if GitHub also rejects the renewed token', async () => {
    await using server = await appServer();
    const clock = movableClock();
    const client = server.client({ identities: { legion: server.app }, place, clock });
    await ask(client);
    server.revoke();
    server.refuses = 503;
    expect((await faultOf(ask(client))).code).toBe('github.unavailable');
    server.refuses = 401;
    const fault = await faultOf(ask(client));
    expect(fault.code).toBe('github.unauthorized');
    expect(fault.message).not.toMatch(/canary|eyJ/);
    server.refuses = 429;
    const limited = await faultOf(ask(client));
    expect(limited).toMatchObject({ code: 'github.rate_limited', retryAt: expect.any(Number) });
    server.refuses = undefined;
    const before = server.seen.length;
    expect((await faultOf(ask(client))).fault).toEqual(limited.fault);
    expect(server.seen).toHaveLength(before);
    clock.forward(61_000);
    await ask(client);
  });

  it('renews its token even if one of the waiting callers aborts', async () => {
    await using server = await appServer();
    const client = server.client({ identities: { legion: server.app }, place });
    const ending = new AbortController();
    const reason = new Error('given up');
    const gone = expect(client.query('query { x }', {}, { signal: ending.signal })).rejects.toBe(reason);
    const stays = ask(client);
    ending.abort(reason);
    await gone;
    await stays;
    expect(tokenRequests(server)).toBe(1);
  });

  it('rejects a wrong or missing key without quoting it', async () => {
    await using server = await appServer();
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2_048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const broken = privateKey.slice(0, 200);
    for (const key of [privateKey, broken, 'canary-no-key']) {
      const legion = { ...server.app, privateKey: key };
      const fault = await faultOf(server.client({ identities: { legion }, place }).login());
      expect(fault.code).toBe('github.unauthorized');
      expect(fault.message).not.toMatch(/canary|eyJ|MII/);
      expect(String(fault.cause)).not.toMatch(/canary|MII/);
    }
  });

  it('accepts a key with escaped line breaks, as in an environment variable', async () => {
    await using server = await appServer();
    const legion = { ...server.app, privateKey: server.app.privateKey.trim().replaceAll('\n', '\\n') };
    expect(await server.client({ identities: { legion }, place }).login()).toBe('legion-impl[bot]');
  });
});
