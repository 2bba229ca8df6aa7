import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { faultOf, json, type Loopback, loopback } from './loopback.ts';

/** Installs a fake `gh` that records how it was started and prints the contents of a file. */
function installGh(body: string): { readonly folder: string; readonly environment: Record<string, string> } {
  const folder = mkdtempSync(join(inject('scratch'), 'gh-'));
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'gh'), `#!/bin/sh\n${body}\n`);
  chmodSync(join(bin, 'gh'), 0o755);
  return { folder, environment: { PATH: `${bin}:/usr/bin:/bin`, HOME: folder } };
}

const viewerServer = () =>
  loopback((response, { headers }) => {
    if (headers.authorization === 'Bearer expired') json(response, 401, { message: 'Bad credentials' });
    else json(response, 200, { data: { viewer: { login: headers.authorization ?? 'nobody' } } });
  });

const ambient = (server: Loopback, environment: Record<string, string>) =>
  server.client({ identities: {}, environment });

describe('ambient credentials', () => {
  it('for a host other than github.com, come from GH_ENTERPRISE_TOKEN, then GITHUB_ENTERPRISE_TOKEN, then gh', async () => {
    await using server = await viewerServer();
    const { environment } = installGh('echo of-gh');
    const all = { ...environment, GH_ENTERPRISE_TOKEN: ' first\n', GITHUB_ENTERPRISE_TOKEN: 'second' };
    expect(await ambient(server, all).login()).toBe('Bearer first');
    expect(await ambient(server, { ...all, GH_ENTERPRISE_TOKEN: '' }).login()).toBe('Bearer second');
    expect(await ambient(server, environment).login()).toBe('Bearer of-gh');
  });

  it('do not include GH_TOKEN and GITHUB_TOKEN for a host other than github.com', async () => {
    await using server = await viewerServer();
    const client = ambient(server, { GH_TOKEN: 'canary', GITHUB_TOKEN: 'canary', PATH: '/nowhere' });
    const fault = await faultOf(client.login());
    expect(fault).toMatchObject({ code: 'github.unauthorized' });
    expect(fault.message).toMatch(/GH_ENTERPRISE_TOKEN.*127\.0\.0\.1/);
    expect(server.seen).toEqual([]);
  });

  it('for github.com, come from GH_TOKEN, then GITHUB_TOKEN', async () => {
    await using server = await viewerServer();
    const words = async (environment: Record<string, string>) => {
      const client = server.client({ url: 'https://github.com', identities: {}, environment });
      await client.close(); // so that the real gh is not called
      const [legion] = await client.credentials.describeIdentity();
      return legion?.uses;
    };
    expect(await words({ GH_TOKEN: 'a', GITHUB_TOKEN: 'b' })).toBe('the variable GH_TOKEN');
    expect(await words({ GITHUB_TOKEN: 'b', GH_ENTERPRISE_TOKEN: 'c' })).toBe('the variable GITHUB_TOKEN');
    expect(await words({ GH_ENTERPRISE_TOKEN: 'c' })).toBe('nothing');
  });

  it('are used only if no credentials are configured', async () => {
    await using server = await viewerServer();
    const client = server.client({
      identities: { legion: { kind: 'token', token: 'configured' } },
      environment: { GH_ENTERPRISE_TOKEN: 'lying-about' },
    });
    expect(await client.login()).toBe('Bearer configured');
  });

  it('are requested from gh for the configured host, with a minimal environment that contains no token', async () => {
    await using server = await viewerServer();
    const { folder, environment } = installGh('echo "$@" > "$HOME/args"; env > "$HOME/env"; echo of-gh');
    await ambient(server, { ...environment, GH_TOKEN: 'canary', AWS_SECRET: 'canary' }).login();
    expect(readFileSync(join(folder, 'args'), 'utf8').trim()).toBe(
      `auth token --hostname ${new URL(server.url).host}`,
    );
    expect(readFileSync(join(folder, 'env'), 'utf8')).not.toContain('canary');
  });

  it.each([
    ['is not installed', undefined],
    ['is not signed in', 'echo "no oauth token" >&2; exit 1'],
    ['prints nothing', 'exit 0'],
    ['prints too much', 'yes of-gh'],
  ])('are reported as missing if gh %s', async (_title, body) => {
    await using server = await viewerServer();
    const environment = body === undefined ? { PATH: '/nowhere:relative' } : installGh(body).environment;
    expect((await faultOf(ambient(server, environment).login())).code).toBe('github.unauthorized');
  });

  it('are requested from gh once, and again only after GitHub rejects them', async () => {
    await using server = await viewerServer();
    const { folder, environment } = installGh('echo x >> "$HOME/asked"; cat "$HOME/token"');
    writeFileSync(join(folder, 'token'), 'expired');
    const client = ambient(server, environment);
    expect((await faultOf(client.login())).code).toBe('github.unauthorized');
    writeFileSync(join(folder, 'token'), 'renewed');
    expect(await client.login()).toBe('Bearer renewed');
    await client.mutate('mutation { x }', {});
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe('x\n'.repeat(3));
  });
});
