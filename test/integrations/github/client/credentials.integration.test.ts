import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { createGitRunner } from '../../../../src/git/runner.ts';
import { appServer } from './app-server.ts';
import { json, loopback } from './loopback.ts';

const { PATH } = process.env;
const place = { owner: 'acme', repo: 'widgets' };

describe('identities', () => {
  it('list each credential with its account, and the roles that use Legion’s account', async () => {
    await using server = await appServer();
    const identities = { legion: { kind: 'token', token: 'of-nobody' }, impl: server.app } as const;
    const notes = await server.client({ identities, place }).credentials.describeIdentity();
    const refused = expect.objectContaining({ code: 'github.unauthorized' });
    expect(notes).toEqual([
      { who: 'legion', own: true, uses: 'credentials.github.token', login: refused },
      { who: 'impl', own: true, uses: 'GitHub App 17', login: 'legion-impl[bot]' },
      { who: 'review', own: false, uses: 'credentials.github.token', login: refused },
    ]);
    expect(JSON.stringify(notes)).not.toMatch(/canary|of-nobody/);
  });

  it('provide the account’s name and e-mail address for git', async () => {
    await using server = await appServer();
    const { credentials } = server.client({ identities: { impl: server.app }, place });
    expect(await credentials.gitIdentity('impl')).toEqual({
      name: 'legion-impl[bot]',
      email: '99+legion-impl[bot]@users.noreply.127.0.0.1',
    });
    expect(server.seen.at(-1)?.path).toBe('/api/v3/users/legion-impl%5Bbot%5D');
  });
});

describe('a worker’s token', () => {
  it('of an App is new each time, is limited to the worker’s repositories, and includes its expiry', async () => {
    await using server = await appServer();
    const client = server.client({ identities: { impl: server.app }, place });
    await client.login('impl');
    const first = await client.credentials.workerToken('impl', ['acme/widgets']);
    const second = await client.credentials.workerToken('impl', ['acme/widgets', 'acme/gears']);
    expect(server.asked).toEqual([{}, { repositories: ['widgets'] }, { repositories: ['widgets', 'gears'] }]);
    expect(first?.token).not.toBe(second?.token);
    expect((first?.expiresAt ?? 0) - Date.now()).toBeGreaterThan(3_500_000);
    expect(JSON.stringify([first, second])).not.toContain('PRIVATE KEY');
  });

  it('is the token configured for the worker’s role, or undefined if the role has no identity', async () => {
    await using server = await loopback(() => {});
    const identities = {
      legion: { kind: 'token', token: 'of-legion' },
      impl: { kind: 'token', token: 'of-impl' },
    } as const;
    const { credentials } = server.client({ identities });
    expect(await credentials.workerToken('impl', [])).toEqual({ token: 'of-impl', expiresAt: undefined });
    expect(await credentials.workerToken('review', [])).toBeUndefined();
  });
});

describe('git access', () => {
  it('authenticates git through the environment only, ignoring helpers and headers in the repository’s configuration', async () => {
    await using server = await loopback((response) => json(response, 404, {}));
    const folder = mkdtempSync(join(inject('scratch'), 'access-'));
    const git = createGitRunner({ environment: { PATH, HOME: folder } });
    await git.run(folder, ['init', '--quiet']);
    await git.run(folder, ['config', 'credential.helper', `!touch ${folder}/helped; echo`]);
    await git.run(folder, ['config', `http.${server.url}/.extraHeader`, 'Authorization: Basic c3R1Y2s=']);

    const { credentials } = server.client();
    const env = await credentials.gitAccess();
    const answer = git.answer(folder, ['ls-remote', `${server.url}/acme/widgets.git`], { env });
    const error = await answer.then(
      () => undefined,
      (reason: Error) => reason,
    );
    expect(error?.message).toContain('not found');
    expect(error?.message).not.toMatch(/canary|Basic/);
    const expected = `Basic ${Buffer.from('x-access-token:canary-Legion-0123456789').toString('base64')}`;
    expect(server.seen[0]?.path).toBe('/acme/widgets.git/info/refs?service=git-upload-pack');
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([expected]);
  });

  it('applies only to this GitHub server, and runs no prompt or helper', async () => {
    await using server = await loopback((response) => void response.writeHead(401).end());
    await using other = await loopback((response) => {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
    });
    const folder = mkdtempSync(join(inject('scratch'), 'access-'));
    const git = createGitRunner({ environment: { PATH, HOME: folder }, personal: true });
    writeFileSync(join(folder, '.gitconfig'), `[credential]\n\thelper = "!touch ${folder}/helped; echo"\n`);
    const env = await server.client().credentials.gitAccess();
    await expect(git.answer('/', ['ls-remote', `${other.url}/a/b.git`], { env })).rejects.toThrow(
      'git ls-remote',
    );
    expect(other.seen.length).toBeGreaterThan(0);
    expect(other.seen.map(({ headers }) => headers.authorization)).toEqual(other.seen.map(() => undefined));
    expect(existsSync(join(folder, 'helped'))).toBe(false);
  });

  it('uses the role’s token', async () => {
    await using server = await appServer();
    const { credentials } = server.client({ identities: { impl: server.app }, place });
    const { GIT_CONFIG_VALUE_1: value = '' } = await credentials.gitAccess('impl');
    expect(Buffer.from(value.replace('Authorization: Basic ', ''), 'base64').toString()).toMatch(
      /^x-access-token:ghs_canary/,
    );
  });
});
