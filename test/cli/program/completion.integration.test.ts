/** Completion in real shells: commands, options, values and the ids of a daemon; a typed line is never evaluated. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Board, Card } from '../../../src/protocol/dashboard.ts';
import { LAUNCHER } from '../../installed/launcher.ts';
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

/** The candidates of bash for a line; each word after the first is one of COMP_WORDS, as bash splits them. */
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
    ['a command behind help', ['help', 'issue', 'sh'], ['show']],
    ['an option', ['issue', 'add', 'Tea', '--pri'], ['--priority']],
    ['no option twice', ['up', '--foreground', '--fore'], []],
    ['an option that can be repeated', ['issue', 'add', '--label', 'a', '--lab'], ['--label']],
    ['a value', ['issue', 'add', 'Tea', '--priority', 'u'], ['urgent']],
    ['a value behind an equal sign', ['issue', 'list', '--status', '=', 'in'], ['in-progress']],
    ['a value of a short option', ['up', '-b', 'gi'], ['github']],
    ['a positional value', ['dispatch', 'SHOP-1', 'pl'], ['plan']],
    ['nothing where a text is free', ['issue', 'add', 'T'], []],
    ['no option behind --', ['issue', 'add', '--', '--pri'], []],
    ['no hidden command', ['complet'], ['completion']],
    ['nothing behind an unknown command', ['no-such-command', ''], []],
  ])('%s', async (_, words, expected) => {
    expect(await completeInBash(...words)).toEqual(expected);
  });

  test('every command for an empty word', async () => {
    expect(await completeInBash('')).toEqual(expect.arrayContaining(['init', 'up', 'status', 'help']));
  });
});

describe('with a daemon', () => {
  let daemon: WireDaemon;
  beforeAll(async () => {
    const board: Board = {
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

  /** Tries again, because a busy machine may not answer within the 0.3 s that completion waits. */
  async function expectInBash(words: readonly string[], expected: readonly string[]): Promise<void> {
    await vi.waitFor(async () => expect(await completeInBash(...words)).toEqual(expected), {
      timeout: WAIT_MS,
    });
  }

  test('open issues are offered, in any case', async () => {
    await expectInBash(['explain', 'shop-1'], ['SHOP-1', 'SHOP-12', 'SHOP-15', 'SHOP-16', 'SHOP-17']);
    await expectInBash(['issue', 'add', 'x', '--blocked-by', 'SHOP-12'], ['SHOP-12']);
  });

  test('commands about workers offer the issues and modes that have one', async () => {
    await expectInBash(['logs', ''], ['SHOP-1', 'SHOP-12']);
    await expectInBash(['logs', 'shop-1', ''], [WORKER.mode, 'review']);
  });

  test.each([
    ['rollback', ['rollback', ''], ['SHOP-13']],
    ['stop', ['stop', ''], ['SHOP-1']],
    ['a mode of stop', ['stop', 'SHOP-1', ''], [WORKER.mode]],
    ['a mode of an issue without a running worker', ['stop', 'SHOP-12', ''], []],
    ['reset-crashes', ['reset-crashes', 'SHOP-1', ''], [WORKER.mode]],
    ['approve', ['approve', ''], ['SHOP-15']],
    ['answer', ['answer', ''], ['SHOP-17']],
    ['resume', ['resume', ''], ['SHOP-12']],
    ['pause', ['pause', 'shop-12'], []],
  ])('%s offers only what it can be used on', async (_, words, expected) => {
    await expectInBash(words, expected);
  });

  test('a description cannot add a line or colours', async () => {
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

test('without a daemon there are no ids, no message and no failure', async () => {
  const said = await legionIn({ cwd: home.repository, env }, 'complete', 'bash', '--', 'explain', '');
  expect(said).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('a daemon that hangs is not waited for', async () => {
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
const isInstalled = ({ shell }: { shell: string }) =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, shell)));

test.each(INTERACTIVE.filter(isInstalled))(
  'an interactive $shell completes commands and paths, and evaluates nothing',
  async ({ command, load }) => {
    writeFileSync(join(home.repository, 'notes-of-tea.md'), '');
    // `script` gives the shell a terminal of its own.
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

test('a worker gets no ids through completion', async () => {
  const worker = { ...env, LEGION_WORKER: 'shop-1-plan' };
  const said = await legionIn({ cwd: home.repository, env: worker }, 'complete', 'bash', '--', 'explain', '');
  expect(said).toMatchObject({ code: 2, stdout: '' });
});

test.each(['zsh', 'fish'])('the script of %s asks legion complete and quotes each word', async (shell) => {
  const { stdout, code } = await legionIn({}, 'completion', shell);
  expect(code).toBe(0);
  expect(stdout).toContain(`command legion complete ${shell} -- `);
  expect(stdout).not.toMatch(/\beval\b/);
});

test('an unknown shell is refused with those that are known', async () => {
  const { stderr, code } = await legionIn({}, 'completion', 'tcsh');
  expect(code).toBe(2);
  expect(stderr).toContain('Unknown shell "tcsh". Valid: bash, zsh, fish.');
});

const MERGED = { number: 1, state: 'merged', ci: 'passing', review: 'approved' } as const;

function card(id: string, status: Card['status'], labels: string[] = []): Card {
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
