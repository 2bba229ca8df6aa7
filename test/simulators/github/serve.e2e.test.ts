/** Checks that a person can start the simulator, read its URL and usage, and stop it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

function start(...args: string[]) {
  return spawn(process.execPath, ['simulators/github/serve.ts', ...args], { cwd: ROOT });
}

test('prints its URL and token, and stops on a signal', async () => {
  const child = start('--repo', 'lab/tools');
  const ended = once(child, 'close');
  let said = '';
  for await (const part of child.stdout) {
    said += String(part);
    if (said.includes('git clone')) break;
  }
  const [, url = ''] = /is at (\S+),/.exec(said) ?? [];
  const [, token = ''] = /GITHUB_TOKEN=(\S+)/.exec(said) ?? [];
  const response = await fetch(`${url}/api/v3/repos/lab/tools`, {
    headers: { authorization: `bearer ${token}`, connection: 'close' },
  });
  expect(await response.json()).toMatchObject({ full_name: 'lab/tools', permissions: { push: true } });
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('with --demo, serves the sample project and prints how to run it', async () => {
  const child = start('--demo');
  const ended = once(child, 'close');
  let said = '';
  for await (const part of child.stdout) {
    said += String(part);
    if (said.includes('legion demo --')) break;
  }
  const [, url = ''] = /is at (\S+),/.exec(said) ?? [];
  expect(said).toContain(
    `legion demo --github-url ${url} --project legion/1 --repo legion/demo --token-variable DEMO_TOKEN`,
  );
  for (const name of ['DEMO_TOKEN', 'DEMO_TOKEN_IMPL', 'DEMO_TOKEN_REVIEW']) {
    const [, token = ''] = new RegExp(`${name}=(\\S+)`).exec(said) ?? [];
    const response = await fetch(`${url}/api/v3/repos/legion/demo`, {
      headers: { authorization: `bearer ${token}`, connection: 'close' },
    });
    expect(await response.json()).toMatchObject({ full_name: 'legion/demo', permissions: { push: true } });
  }
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test.each([
  [['--port', 'x'], '--port must be a whole number up to 65535, got x'],
  [['--repo', 'x'], '--repo must be OWNER/NAME, got x'],
  [['--statuses', 'Todo,,Done'], '--statuses must be a comma-separated list of names'],
  [['--nonsense'], 'nonsense'],
])('rejects %j with a one-sentence error', async (args, sentence) => {
  const child = start(...args);
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect(code).toBe(2);
  expect(said).toContain(sentence);
  expect(said).toContain('Usage: npm run github');
  expect(said).not.toMatch(/^\s+at /m);
});
