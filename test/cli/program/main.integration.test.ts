import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LAUNCHER } from '../../installed/launcher.ts';
import { HEALTH, WORKER } from '../support/answers.ts';
import { newHome, writeLegionFile } from '../support/home.ts';
import { perform } from '../support/in-process.ts';
import { legion } from '../support/legion.ts';
import { openWireDaemon, type WireDaemon } from '../support/wire-daemon.ts';

const home = newHome();
let daemon: WireDaemon;
beforeAll(async () => {
  writeLegionFile(home.repository);
  daemon = await openWireDaemon(home.state, {
    'GET /health': HEALTH,
    'GET /workers/shop-1-implement': WORKER,
    'GET /workers/shop-1-implement/logs': {
      worker: WORKER.id,
      attempt: 2,
      offset: 0,
      text: 'a line\n',
      nextOffset: 7,
      more: false,
    },
    'GET /metrics': `${'legion_workers 1\n'.repeat(20_000)}`,
  });
});
afterAll(async () => {
  await daemon.close();
  home.remove();
});

test('`legion` without a command lists all commands in groups', async () => {
  const { code, stdout } = await legion();
  expect(code).toBe(0);
  expect(stdout).toContain('\nSetup:\n  init           Set up a legion in this git repository\n');
  expect(stdout).toContain('\nInspection:\n');
  expect(stdout).toContain('replay         Show the state in a journal at a given moment\n');
  expect(stdout).not.toContain('scripted');
});

test('an unknown command is rejected', async () => {
  const { code, stdout, stderr } = await legion('frobnicate');
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toBe(
    "legion: Unknown command 'frobnicate'. [usage.invalid]\n" + 'Run `legion --help` to see how to use it.\n',
  );
  for (const name of ['constructor', '__proto__', '']) {
    const { error } = await perform({ cwd: '/', env: {} }, name);
    expect(error?.message).toContain(`Unknown command '${name}'.`);
  }
  const { error } = await perform({ cwd: '/', env: {} }, 'explian');
  expect(error?.message).toBe("Unknown command 'explian'. Did you mean explain?");
});

test('`help COMMAND` and `COMMAND --help` print the same help for a subcommand', async () => {
  const nowhere = { cwd: '/', env: {} };
  const { out } = await perform(nowhere, 'issue', 'add', '--help');
  expect(out).toMatch(/^Usage: legion issue add TITLE\.\.\. \[options\]\n/);
  expect((await perform(nowhere, 'help', 'issue', 'add')).out).toBe(out);
  const { out: group } = await perform(nowhere, 'issue', '--help');
  expect(group).toContain('\n  move     Move an issue to another status\n');
  expect(group).toContain('\nRun `legion issue COMMAND --help` for details.\n');
});

test('an error is printed as one JSON object if --json is given', async () => {
  const { code, stderr } = await legion('replay', '--json', '--at', 'yesterday-ish', 'x.db');
  expect(code).toBe(2);
  expect(JSON.parse(stderr)).toEqual({
    error: {
      code: 'usage.invalid',
      message: '--at takes a version or a time, got "yesterday-ish".',
      next: 'Run `legion replay --help` to see how to use it.',
    },
  });
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  'a waiting command that receives %s exits without a message and with the exit code that shells expect',
  async (signal, code) => {
    const child = started('logs', 'SHOP-1', 'implement', '--follow');
    await once(child.stdout, 'data');
    child.kill(signal);
    expect(await ended(child)).toEqual({ code, complaint: '' });
  },
);

test('a closed output pipe is not reported as a bug', async () => {
  const child = started('metrics');
  await once(child.stdout, 'data');
  child.stdout.destroy();
  const { complaint } = await ended(child);
  expect(complaint).toBe('');
});

function started(...args: string[]) {
  const env = { ...home.env, NO_COLOR: '1' };
  return spawn(process.execPath, [LAUNCHER, ...args], { cwd: home.repository, env });
}

async function ended(child: ReturnType<typeof started>): Promise<{ code: number; complaint: string }> {
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, complaint };
}
