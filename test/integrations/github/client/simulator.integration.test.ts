import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import type { GithubSimulator } from '../../../../simulators/github/simulator.ts';
import { startGithub } from '../../../../simulators/github/start.ts';
import { createGitRunner } from '../../../../src/git/runner.ts';
import { checkAccess } from '../../../../src/integrations/github/client/check-access.ts';
import {
  type GithubConnection,
  type GithubOptions,
  openGithub,
} from '../../../../src/integrations/github/client/open.ts';
import { systemClock } from '../../../../src/lib/async/system-clock.ts';
import { faultOf } from './loopback.ts';

const signal = new AbortController().signal;
const { PATH } = process.env;

interface Stage extends AsyncDisposable {
  readonly github: GithubSimulator;
  readonly project: number;
  client(identities: GithubOptions['identities']): GithubConnection;
}

async function stage(): Promise<Stage> {
  const github = await startGithub();
  const { people } = github;
  people.organization('acme', ['ada']);
  await people.repository('acme/widgets', { private: true, files: { 'README.md': 'hello\n' } });
  people.grant('acme/widgets', 'ada', 'WRITE');
  const project = people.project('acme');
  const clients: GithubConnection[] = [];
  return {
    github,
    project,
    client(identities) {
      const client = openGithub({
        url: github.url,
        identities,
        environment: {},
        place: { owner: 'acme', repo: 'widgets' },
        clock: systemClock,
        writeSpacingMs: 0,
      });
      clients.push(client);
      return client;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((client) => client.close()));
      await github.close();
    },
  };
}

function appOf({ github }: Stage, slug: string) {
  const { appId, installationId, privateKey } = github.people.app({ slug, owner: 'acme' });
  return { kind: 'app', appId, installationId, privateKey } as const;
}

const LABELS = 'query Labels { repository(owner: "acme", name: "widgets") { id viewerPermission } }';

describe('the client on the simulated GitHub', () => {
  it('when given a token, acts as the person who owns it', async () => {
    await using on = await stage();
    const client = on.client({ legion: { kind: 'token', token: on.github.people.token('ada') } });
    expect(await client.login()).toBe('ada');
    expect(await client.query(LABELS, {}, { signal })).toMatchObject({
      repository: { viewerPermission: 'WRITE' },
    });
    expect(client.budget()?.remaining).toBeGreaterThan(0);
    expect(on.github.requests().map(({ login }) => login)).toEqual(['ada', 'ada']);
  });

  it('acts as the App configured for a role, and as Legion’s account for a role without an account', async () => {
    await using on = await stage();
    const { installationId: _, ...app } = appOf(on, 'legion-impl');
    const legion = { kind: 'token', token: on.github.people.token('ada') } as const;
    const client = on.client({ legion, impl: app });
    expect(await client.login('impl')).toBe('legion-impl[bot]');
    expect(await client.login('review')).toBe('ada');
    const { repository } = await client.query<{ repository: { id: string } }>(
      LABELS,
      {},
      { signal, as: 'impl' },
    );
    expect(repository.id).toBeTruthy();
  });

  it('reports an unknown token', async () => {
    await using on = await stage();
    const client = on.client({ legion: { kind: 'token', token: 'ghp_unknown' } });
    expect((await faultOf(client.login())).code).toBe('github.unauthorized');
  });

  it('gives a worker credentials for git, without which git fails', async () => {
    await using on = await stage();
    const client = on.client({ impl: appOf(on, 'legion-impl') });
    const folder = mkdtempSync(join(inject('scratch'), 'clone-'));
    const git = createGitRunner({ environment: { PATH, HOME: folder } });
    const url = `${on.github.url}/acme/widgets.git`;
    await expect(git.run(folder, ['clone', '--quiet', url, 'nobody'])).rejects.toThrow('git clone');

    const env = await client.credentials.gitAccess('impl');
    await git.answer(folder, ['clone', '--quiet', url, 'mine'], { env });
    const mine = join(folder, 'mine');
    const { name, email } = await client.credentials.gitIdentity('impl');
    expect(email).toMatch(/^\d+\+legion-impl\[bot\]@users\.noreply\./);
    const author = ['-c', `user.name=${name}`, '-c', `user.email=${email}`];
    await git.run(mine, [...author, 'commit', '--quiet', '--allow-empty', '-m', 'empty']);
    await git.answer(mine, ['push', '--quiet', 'origin', 'HEAD:refs/heads/work'], { env });
    const head = (await git.run(mine, ['rev-parse', 'HEAD'])).trim();
    const there = await git.run(on.github.people.folder('acme/widgets'), ['rev-parse', 'refs/heads/work']);
    expect(there.trim()).toBe(head);
    expect(await git.run(mine, ['config', '--list', '--local'])).not.toMatch(/ghs_|Basic/);

    const token = await client.credentials.workerToken('impl', ['acme/widgets']);
    expect(token?.expiresAt).toBeGreaterThan(Date.now());
  });

  it('reports limits, outages and truncated responses as faults', async () => {
    await using on = await stage();
    const token = on.github.people.token('ada');
    const fresh = () => on.client({ legion: { kind: 'token', token } });
    const { faults } = on.github;
    const ask = (client: GithubConnection) => client.query(LABELS, {}, { signal });

    faults.next({ answer: { rateLimit: 'secondary', retryAfterSeconds: 30 } });
    const limited = await faultOf(ask(fresh()));
    expect(limited.code).toBe('github.rate_limited');
    expect((limited.retryAt ?? 0) - Date.now()).toBeGreaterThan(25_000);
    faults.next({ answer: { rateLimit: 'primary', retryAfterSeconds: 30 } });
    expect((await faultOf(ask(fresh()))).code).toBe('github.rate_limited');
    for (const answer of [{ status: 502 }, { reset: true }] as const) {
      faults.next({ answer });
      expect((await faultOf(ask(fresh()))).code).toBe('github.unavailable');
    }
    faults.outage(503);
    expect((await faultOf(ask(fresh()))).code).toBe('github.unavailable');
    faults.outage(undefined);
    await ask(fresh());
  });

  it('finds permissions that an account lacks', async () => {
    await using on = await stage();
    const wanted = {
      project: { owner: 'acme', number: on.project },
      repositories: [{ owner: 'acme', repo: 'widgets' }],
    };
    // The simulator has no list of Actions runs.
    const lacks = async (client: GithubConnection) =>
      (await checkAccess(client, wanted, signal))
        .filter(({ ok, what }) => !ok && !what.endsWith('reading Actions logs'))
        .map(({ what }) => what);
    const { people } = on.github;
    const good = people.token('ada', ['repo', 'project']);
    const weak = people.token('ada', ['repo']);
    people.user('eve');
    expect(await lacks(on.client({ legion: { kind: 'token', token: good } }))).toEqual([]);
    expect(await lacks(on.client({ legion: { kind: 'token', token: weak } }))).toContain('scopes');
    const eve = on.client({ legion: { kind: 'token', token: people.token('eve') } });
    expect(await lacks(eve)).toContain('acme/widgets');
    expect(await lacks(on.client({ legion: appOf(on, 'legion') }))).toEqual([]);
  });

  it('lists the permissions that an App lacks', async () => {
    await using on = await stage();
    const given = {
      contents: 'read',
      issues: 'write',
      organization_projects: 'read',
      metadata: 'read',
    } as const;
    const { people } = on.github;
    const { installationId, ...app } = people.app({ slug: 'weak', owner: 'acme', permissions: given });
    const client = on.client({ legion: { kind: 'app', installationId, ...app } });
    const wanted = {
      project: { owner: 'acme', number: on.project },
      repositories: [{ owner: 'acme', repo: 'widgets' }],
    };
    const lacking = (await checkAccess(client, wanted, signal)).filter(({ ok }) => !ok);
    const needed = new Map(
      lacking.map(({ what, next, optional }) => [what, optional === true ? 'optional' : next]),
    );
    expect(needed.get('project')).toContain('give the App the permission Projects: read and write');
    expect(needed.get('acme/widgets: code')).toBe(
      'Give the App the permission contents: write, and accept the change where the App is installed.',
    );
    expect(needed.get('acme/widgets: pull requests')).toContain('pull_requests: write');
    expect(needed.has('acme/widgets: labels')).toBe(false);
    expect(
      [...needed]
        .filter(([, next]) => next === 'optional')
        .every(([what]) => what.endsWith('reading Actions logs')),
    ).toBe(true);
  });
});
