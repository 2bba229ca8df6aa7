/**
 * Tests an agent that has no login at the start or loses it during a turn. No crash is recorded,
 * and work continues after the login.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Event } from '../../../src/core/model/event.ts';
import type { IssueExplanation } from '../../../src/protocol/operator.ts';
import { setUpDaemons, type TestDaemon } from '../support/legion.ts';

const startDaemon = setUpDaemons();
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const LOGIN = 'Run `claude auth login`, or set ANTHROPIC_API_KEY where the daemon is started.';

test('starts nothing without a login, and shows the login command once in the inbox', async () => {
  const claude = fakeClaude();
  const daemon = await beginWith(claude);
  const issues = [await daemon.add({ status: 'Todo' }), await daemon.add({ status: 'Todo' })];
  await daemon.untilEvents('both are refused', (events) => issues.every((issue) => isRefused(events, issue)));
  expect(await daemon.inbox()).toEqual([
    {
      kind: 'problem',
      issue: null,
      title: 'No worker can start',
      text: `claude-code: Claude Code is not logged in. ${LOGIN}`,
      since: expect.any(Number),
      next: LOGIN,
    },
  ]);
  const { state } = await daemon.client.get<IssueExplanation>(`/issues/${issues[0]}/explain`);
  expect(state.says).toContain('No agent for this phase is ready: claude-code: Claude Code is not logged in');
  expect((await daemon.client.events()).filter(({ type }) => type === 'attempt.dispatched')).toEqual([]);
});

test('a login lost during a turn is not a crash: there is one inbox item, and the session continues after the login', async () => {
  const claude = fakeClaude();
  claude.logIn();
  claude.expire();
  const daemon = await beginWith(claude);
  const issue = await daemon.add({ status: 'Todo' });
  const stopped = (
    await daemon.untilEvents('it is stopped', (events) => has(events, 'attempt.stopped'))
  ).find(({ type }) => type === 'attempt.stopped');
  expect(stopped).toMatchObject({
    issue,
    why: 'Its agent’s login was refused: Not logged in · Please run /login',
  });
  await daemon.untilEvents('no other worker starts', (events) => isRefused(events, issue));
  expect(await daemon.inbox()).toMatchObject([
    { kind: 'problem', issue: null, text: expect.stringContaining('claude-code: '), next: LOGIN },
  ]);
  claude.logIn();
  const events = await daemon.untilEvents(
    'the second attempt begins',
    (all) => all.filter(({ type }) => type === 'attempt.dispatched').length >= 2,
  );
  expect(has(events, 'attempt.crashed')).toBe(false);
  const { labels } = await daemon.issue(issue);
  expect(labels).not.toContain('legion-paused');
  const { workers } = await daemon.detail(issue);
  expect(workers).toMatchObject([{ mode: 'plan', attempt: 2, crashes: 0 }]);
  expect((await daemon.inbox()).filter(({ kind }) => kind === 'problem')).toEqual([]);
});

function beginWith(claude: FakeClaude): Promise<TestDaemon> {
  const { PATH = '' } = process.env;
  return startDaemon({
    yaml: 'agents: { default: { agent: claude-code } }\nlimits: { respawns: 0 }\n',
    environment: { PATH: `${claude.folder}${delimiter}${PATH}` },
  });
}

function has(events: readonly Event[], type: Event['type']): boolean {
  return events.some((event) => event.type === type);
}

function isRefused(events: readonly Event[], issue: string): boolean {
  const decided = events.filter((event) => event.type === 'decision.made' && event.issue === issue);
  return decided.some((event) => event.type === 'decision.made' && event.reason === 'agent_not_ready');
}

interface FakeClaude {
  readonly folder: string;
  logIn(): void;
  /** Makes the agent refuse the next turn, after which `auth status` reports no login either. */
  expire(): void;
}

/**
 * Creates a fake program that imitates the output of the real one at version 2.1, with and without
 * a login.
 */
function fakeClaude(): FakeClaude {
  const folder = mkdtempSync(join(tmpdir(), 'legion-claude-'));
  folders.push(folder);
  const login = join(folder, 'login');
  const expired = join(folder, 'expired');
  const turn = (line: object) => `printf '%s\\n' '${JSON.stringify(line)}'`;
  const init = { type: 'system', subtype: 'init', session_id: 's-1' };
  const words = 'Not logged in · Please run /login';
  const message = { role: 'assistant', content: [{ type: 'text', text: words }] };
  const script = [
    '#!/bin/sh',
    `has_login() { [ -e '${login}' ]; }`,
    'case "$*" in',
    '--version) echo "2.1.197 (Claude Code)"; exit 0;;',
    `*"auth status"*) has_login && echo '{"loggedIn":true,"authMethod":"claude.ai"}' && exit 0`,
    `  echo '{"loggedIn":false,"authMethod":"none"}'; exit 1;;`,
    'esac',
    turn({ ...init, mcp_servers: [{ name: 'legion', status: 'connected' }] }),
    `[ -e '${expired}' ] || exec sleep 300`,
    `rm -f '${login}'`,
    turn({ type: 'assistant', message, error: 'authentication_failed' }),
    turn({ type: 'result', is_error: true, result: words, total_cost_usd: 0, terminal_reason: 'completed' }),
    'exit 1',
  ];
  writeFileSync(join(folder, 'claude'), `${script.join('\n')}\n`);
  chmodSync(join(folder, 'claude'), 0o755);
  return {
    folder,
    logIn() {
      rmSync(expired, { force: true });
      writeFileSync(login, '');
    },
    expire: () => writeFileSync(expired, ''),
  };
}
