/**
 * Tests completion in real shells: commands, options, values, and ids from a daemon. The typed line
 * is never evaluated.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { DashboardBoard, DashboardCard } from '../../../src/protocol/dashboard.ts';
import { LAUNCHER } from '../../installed/launcher.ts';
import { skipWithoutProgram } from '../../support/required-program.ts';
import { WORKER } from '../support/answers.ts';
import { newHome, writeLegionFile } from '../support/home.ts';
import { legionIn } from '../support/legion.ts';
import { announce, openWireDaemon, type WireDaemon } from '../support/wire-daemon.ts';

const WAIT_MS = 10_000;
const home = newHome();
const programs = join(home.folder, 'programs');
const env = {
  ...process.env,
  ...home.env,
  PATH: [programs, home.env['PATH']].join(delimiter),
  LEGION_WORKER: '',
  TERM: 'dumb',
};

beforeAll(() => {
  mkdirSync(programs);
  writeFileSync(join(programs, 'legion'), `#!/bin/sh\nexec ${process.execPath} ${LAUNCHER} "$@"\n`, {
    mode: 0o755,
  });
  writeLegionFile(home.repository);
});
afterAll(() => home.remove());

/**
 * Returns bash's candidates for a line. `words` are the words after `legion`, split as bash splits
 * them for COMP_WORDS.
 */
async function completeInBash(...words: string[]): Promise<readonly string[]> {
  const script = `
    source <(legion completion bash)
    COMP_WORDS=(legion "$@")
    COMP_CWORD=$#
    _legion
    (( \${#COMPREPLY[@]} )) && printf '%s\\n' "\${COMPREPLY[@]}"
    exit 0`;
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', script, 'bash', ...words], {
    cwd: home.repository,
    env,
  });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

describe('bash completes', () => {
  test.each([
    ['a command', ['iss'], ['issue']],
    ['a subcommand', ['issue', 'ed'], ['edit']],
    ['a command after `help`', ['help', 'issue', 'sh'], ['show']],
    ['an option', ['issue', 'add', 'Tea', '--pri'], ['--priority']],
    ['no option twice', ['up', '--foreground', '--fore'], []],
    ['an option that can be repeated', ['issue', 'add', '--label', 'a', '--lab'], ['--label']],
    ['a value', ['issue', 'add', 'Tea', '--priority', 'u'], ['urgent']],
    ['a value after an equal sign', ['issue', 'list', '--status', '=', 'in'], ['in-progress']],
    ['a value of a short option', ['up', '-b', 'gi'], ['github']],
    ['a positional value', ['dispatch', 'SHOP-1', 'pl'], ['plan']],
    ['nothing for free text', ['issue', 'add', 'T'], []],
    ['no option after --', ['issue', 'add', '--', '--pri'], []],
    ['no hidden command', ['complet'], ['completion']],
    ['nothing after an unknown command', ['no-such-command', ''], []],
  ])('%s', async (_, words, expected) => {
    expect(await completeInBash(...words)).toEqual(expected);
  });

  test('an empty word to any command', async () => {
    expect(await completeInBash('')).toEqual(expect.arrayContaining(['init', 'up', 'status', 'help']));
  });
});

describe('completion with a daemon', () => {
  let daemon: WireDaemon;
  beforeAll(async () => {
    const board: DashboardBoard = {
      at: 1,
      version: 1,
      isPresent: true,
      readAt: 1,
      omitted: 0,
      cards: [
        card('SHOP-1', 'In Progress'),
        card('SHOP-12', 'Todo', ['legion-paused']),
        { ...card('SHOP-13', 'Done'), pullRequest: MERGED },
        card('SHOP-14', 'Done'),
        card('SHOP-15', 'Retro', ['needs-approval']),
        card('SHOP-16', 'Retro', ['needs-approval', 'human-approved']),
        card('SHOP-17', 'Testing', ['user-input-needed']),
      ],
    };
    const ended = { ...WORKER, id: 'shop-12-plan', issue: 'SHOP-12', mode: 'plan', status: 'finished' };
    const review = { ...WORKER, id: 'shop-1-review', mode: 'review', status: 'finished', crashes: 0 };
    const workers = [WORKER, review, ended];
    daemon = await openWireDaemon(home.state, { 'GET /board': board, 'GET /workers': workers });
  });
  afterAll(() => daemon.close());

  /** Retries, because completion waits only 0.3 s and a response may take longer on a busy machine. */
  async function expectInBash(words: readonly string[], expected: readonly string[]): Promise<void> {
    await vi.waitFor(async () => expect(await completeInBash(...words)).toEqual(expected), {
      timeout: WAIT_MS,
    });
  }

  test('offers open issues, ignoring case', async () => {
    await expectInBash(['explain', 'shop-1'], ['SHOP-1', 'SHOP-12', 'SHOP-15', 'SHOP-16', 'SHOP-17']);
    await expectInBash(['issue', 'add', 'x', '--blocked-by', 'SHOP-12'], ['SHOP-12']);
  });

  test('for a command about workers, offers only issues and modes that have a worker', async () => {
    await expectInBash(['logs', ''], ['SHOP-1', 'SHOP-12']);
    await expectInBash(['logs', 'shop-1', ''], [WORKER.mode, 'review']);
  });

  test.each([
    ['`rollback`', ['rollback', ''], ['SHOP-13']],
    ['`stop`', ['stop', ''], ['SHOP-1']],
    ['the mode of `stop`', ['stop', 'SHOP-1', ''], [WORKER.mode]],
    ['the mode of `stop` for an issue without a running worker', ['stop', 'SHOP-12', ''], []],
    ['`reset-crashes`', ['reset-crashes', 'SHOP-1', ''], [WORKER.mode]],
    ['`approve`', ['approve', ''], ['SHOP-15']],
    ['`answer`', ['answer', ''], ['SHOP-17']],
    ['`resume`', ['resume', ''], ['SHOP-12']],
    ['`pause`', ['pause', 'shop-12'], []],
  ])('offers only valid values for %s', async (_, words, expected) => {
    await expectInBash(words, expected);
  });

  test('removes line breaks and colours from descriptions', async () => {
    const line = ['complete', 'fish', '--', 'explain', ''];
    await vi.waitFor(
      async () => {
        const { stdout } = await legionIn({ cwd: home.repository, env }, ...line);
        expect(stdout).toContain('SHOP-1\tA title·[2J of SHOP-1\nSHOP-12\tA title·[2J of SHOP-12\n');
      },
      { timeout: WAIT_MS },
    );
  });
});

test('completion without a daemon offers no ids, prints no message and does not fail', async () => {
  const said = await legionIn({ cwd: home.repository, env }, 'complete', 'bash', '--', 'explain', '');
  expect(said).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('completion does not wait for a daemon that hangs', async () => {
  const socket = join(home.state, 'daemon.sock');
  const server = createServer(() => undefined).listen(socket);
  await once(server, 'listening');
  const url = 'http://127.0.0.1:1';
  announce(home.state, { legion: 'shop', url, socket, pid: process.pid, startedAt: 1, version: '0.1.0' });
  try {
    const said = await legionIn({ cwd: home.repository, env }, 'complete', 'bash', '--', 'explain', '');
    expect(said).toEqual({ code: 0, stdout: '', stderr: '' });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

const INTERACTIVE = [
  { shell: 'bash', command: 'bash --norc --noprofile -i', load: 'source <(legion completion bash)' },
  {
    shell: 'zsh',
    command: 'zsh -f -i',
    load: 'autoload -Uz compinit; compinit -u -D; source <(legion completion zsh)',
  },
  { shell: 'fish', command: 'fish --no-config -i', load: 'legion completion fish | source' },
];

test.for(INTERACTIVE)(
  'an interactive $shell completes commands and paths, and evaluates nothing',
  async ({ shell, command, load }, context) => {
    for (const program of ['script', shell]) skipWithoutProgram(context, program);
    writeFileSync(join(home.repository, 'notes-of-tea.md'), '');
    // `script` gives the shell its own terminal.
    const [program, ...args] = ['script', '-qfec', command, '/dev/null'] as const;
    const child = spawn(program, args, {
      cwd: home.repository,
      env: { ...env, HISTFILE: '/dev/null' },
    });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    const typeUntil = async (keys: string, shown: string) => {
      child.stdin.write(keys);
      await vi.waitFor(() => expect(text).toContain(shown), { timeout: WAIT_MS });
    };
    try {
      await typeUntil(`${load}; echo sour""ced\r`, 'sourced');
      await typeUntil('legion issue add Tea --body-file note\t', '--body-file notes-of-tea.md');
      await typeUntil('\u0015legion issue add Tea --body-file=note\t', '--body-file=notes-of-tea.md');
      await typeUntil('\u0015legion issue list --status=in-p\t', '--status=in-progress');
      child.stdin.write('\u0015legion explain $(touch evaluated) (touch evaluated) "$(touch evaluated)" \t');
      await typeUntil('\u0015legion compl\t', 'legion completion');
    } finally {
      child.stdin.write('\u0015exit\r');
      await once(child, 'close');
    }
    expect(existsSync(join(home.repository, 'evaluated'))).toBe(false);
  },
);

test('completion inside a worker offers no ids', async () => {
  const worker = { ...env, LEGION_WORKER: 'shop-1-plan' };
  const said = await legionIn({ cwd: home.repository, env: worker }, 'complete', 'bash', '--', 'explain', '');
  expect(said).toMatchObject({ code: 2, stdout: '' });
});

test.each(['zsh', 'fish'])('the %s script calls legion complete and quotes each word', async (shell) => {
  const { stdout, code } = await legionIn({}, 'completion', shell);
  expect(code).toBe(0);
  expect(stdout).toContain(`command legion complete ${shell} -- `);
  expect(stdout).not.toMatch(/\beval\b/);
});

test('an unknown shell is rejected, and the error lists the valid ones', async () => {
  const { stderr, code } = await legionIn({}, 'completion', 'tcsh');
  expect(code).toBe(2);
  expect(stderr).toContain('Unknown shell "tcsh". Valid: bash, zsh, fish.');
});

const MERGED = { number: 1, state: 'merged', ci: 'passing', review: 'approved' } as const;

function card(id: string, status: DashboardCard['status'], labels: string[] = []): DashboardCard {
  return {
    id,
    title: `A title\u001b[2J of ${id}`,
    status,
    column: status,
    labels,
    priority: 0,
    since: null,
    blockedBy: [],
    worker: null,
    waits: null,
    needsYou: false,
    pullRequest: null,
    spentUsd: 0,
  };
}
