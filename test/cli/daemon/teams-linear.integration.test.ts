/**
 * Tests `legion teams --linear` on a simulated Linear: the teams that a key can see, and the
 * legions that work on them.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { resolveLegionPaths } from '../../../src/config/paths.ts';
import { unwrap } from '../../../src/lib/result.ts';
import { type LinearHome, linearHome } from '../support/linear-home.ts';

const OPEN: LinearHome[] = [];
afterEach(async () => {
  for (const on of OPEN.splice(0)) await on.close();
});

async function begin(): Promise<LinearHome> {
  const on = await linearHome();
  OPEN.push(on);
  return on;
}

test('lists the key, name and UUID of each team, and the team’s legion if this machine has one', async () => {
  const on = await begin();
  const ops = on.linear.people.team({ key: 'OPS', name: 'Operations' });
  mkdirSync(unwrap(resolveLegionPaths(on.env)).state(on.team), { recursive: true });
  const asked = ['teams', '--linear', '--linear-url', on.linear.url] as const;
  const { out, error } = await on.run(...asked);
  expect(error).toBeUndefined();
  expect(out).toMatch(/^Teams of .+ that ada can see$/m);
  expect(out).toMatch(new RegExp(`^ENG +Engineering +${on.team} +not running$`, 'm'));
  expect(out).toMatch(new RegExp(`^OPS +Operations +${ops} +no legion here$`, 'm'));
  const { teams, account } = JSON.parse((await on.run(...asked, '--json')).out);
  expect(account).toBe('ada');
  expect(teams).toMatchObject([
    { key: 'ENG', name: 'Engineering', id: on.team, legion: { legion: on.team, running: false } },
    { key: 'OPS', id: ops },
  ]);
  expect(teams[1]).not.toHaveProperty('legion');
});

test('lists only the teams that a guest belongs to', async () => {
  const on = await begin();
  on.linear.people.user('eve', { guest: true });
  const { out } = await on.runWith(
    on.linear.people.apiKey('eve'),
    ...['teams', '--linear', '--linear-url', on.linear.url],
  );
  expect(out).toContain('No teams found. Add the account to a team, or give the key access to one.');
});

test('uses the key and the URL from the legion.yaml in this folder', async () => {
  const on = await begin();
  const lines = [`linear: { url: ${on.linear.url} }`, 'credentials: { linear: { api_key: "env:OTHER" } }'];
  writeFileSync(join(on.home.repository, 'legion.yaml'), `${lines.join('\n')}\n`);
  expect((await on.run('teams', '--linear')).error).toMatchObject({ code: 'config.secret_missing' });
});

test('says what to do if the key is missing or rejected, or Linear is unavailable', async () => {
  const on = await begin();
  const asked = ['teams', '--linear', '--linear-url', on.linear.url] as const;
  const without = await on.runWith('', ...asked);
  expect(without.error).toMatchObject({ code: 'linear.unauthorized' });
  expect(without.error?.message).toContain('LINEAR_API_KEY');
  expect((await on.runWith('lin_api_unknown', ...asked)).error?.code).toBe('linear.unauthorized');
  on.linear.faults.outage(503);
  expect((await on.run(...asked)).error?.code).toBe('linear.unavailable');
});

test('without --linear, lists only the legions of this machine', async () => {
  const on = await begin();
  const { out } = await on.run('teams', '--json');
  expect(JSON.parse(out)).toEqual([]);
  expect(on.linear.requests()).toEqual([]);
  expect((await on.run('teams', '--linear-url', on.linear.url)).error?.code).toBe('usage.invalid');
});
