/**
 * Tests the real Codex with a scripted model through Legion's agent port: what it receives and what
 * it reports.
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WORKER_RULES } from '../../src/agents/runner/equipment.ts';
import { agentConformance } from '../../test/ports/agent/conformance.ts';
import { KEY, REPORTS } from './agent-legion.ts';
import {
  createCodexOn,
  launchCodexOn,
  resumeCodexOn,
  runDrivenTurn,
  SESSION,
  startOn,
  useCodexStage,
} from './codex-stage.ts';

const stage = useCodexStage();

agentConformance('codex', async () => ({
  agent: createCodexOn(stage()),
  start: startOn(stage()),
  run: (launch) => stage().play(launch),
  lacking: { agent: createCodexOn(stage(), 'no-such-codex'), model: undefined },
  dispose: async () => undefined,
}));

test('prints messages, tool calls, usage and the report, and sends the report to the daemon', async () => {
  const { model, play, daemon } = stage();
  model.mind = ({ calls }) => {
    if (calls.length === 0)
      return { run: 'echo hello; exit 3', say: 'I say hello', usage: { in: 1_000, out: 10 } };
    if (calls.length === 1)
      return { verb: 'done', input: { summary: 'said hello' }, usage: { in: 2_000, out: 20 } };
    return { say: 'reported', usage: { in: 3_000, out: 30 } };
  };
  const { code, events, lines } = await play(launchCodexOn(stage()));
  expect(code).toBe(0);
  expect(lines).toContainEqual(
    expect.objectContaining({ type: 'tool_ended', failed: true, result: 'hello\n' }),
  );
  expect(events).toEqual([
    { kind: 'started', native: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    { kind: 'text', text: 'I say hello' },
    { kind: 'tool started', tool: 'shell', id: expect.stringContaining('item_') },
    { kind: 'tool ended', id: expect.stringContaining('item_'), failed: true },
    { kind: 'tool started', tool: 'mcp__legion__done', id: expect.stringContaining('item_') },
    { kind: 'tool ended', id: expect.stringContaining('item_'), failed: false },
    { kind: 'text', text: 'reported' },
    { kind: 'usage', tokensIn: 6_000, tokensOut: 60 },
    { kind: 'turn ended' },
  ]);
  expect(daemon.heard).toEqual([
    {
      verb: 'done',
      input: expect.objectContaining({ summary: 'said hello' }),
      token: 'token-of-this-attempt',
    },
  ]);
});

test('counts the usage of a thread only once, even if several processes run its turns', async () => {
  const { model, play } = stage();
  model.mind = ({ calls }) => ({
    ...(calls.length === 0 ? { verb: 'done', input: { summary: 'so far' } } : { say: 'reported' }),
    usage: { in: 500, out: 5 },
  });
  const usage = { kind: 'usage', tokensIn: 1_000, tokensOut: 10 };
  const first = await play(launchCodexOn(stage()));
  const second = await play(resumeCodexOn(stage(), 'go on'));
  for (const { events } of [first, second])
    expect(events.filter(({ kind }) => kind === 'usage')).toEqual([usage]);
  // Tool ids are unique, although Codex counts from 0 in every process.
  const tools = [first, second].flatMap(({ events }) =>
    events.flatMap((event) => ('tool' in event ? event.id : [])),
  );
  expect(new Set(tools).size).toBe(2);
});

test('receives the rules, the skills, the tools and the unchanged prompt, and sends the key in a header', async () => {
  const prompt = 'Zeile eins\n"zwei" $(touch x) `y` \\ -- <b>\n';
  await stage().play(launchCodexOn(stage(), prompt));
  const [asked] = stage().model.asked;
  expect(asked?.seen.system).toContain(WORKER_RULES);
  for (const skill of readdirSync(join(import.meta.dirname, '../../skills')))
    expect(asked?.seen.system).toMatch(new RegExp(`- ${skill}: .*${skill}/SKILL\\.md`));
  expect(asked?.seen.tools).toEqual(expect.arrayContaining(['exec_command', 'mcp__legion__done']));
  expect(asked?.seen.prompts).toEqual([prompt]);
  expect(asked?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(stage().git('status', '--porcelain')).toBe('');
});

test('passes changed rules to a continued session', async () => {
  await runDrivenTurn(stage(), {});
  await runDrivenTurn(stage(), { isResumed: true });
  expect(JSON.stringify(stage().model.asked.at(-1)?.body)).not.toContain('<INSTRUCTIONS>');
  const rules = 'Rules of a later version.';
  for (const _ of [1, 2]) await runDrivenTurn(stage(), { isResumed: true, equipment: { rules } });
  const body = JSON.stringify(stage().model.asked.at(-1)?.body);
  expect(body.split(rules)).toHaveLength(2);
  expect(body).toContain('These rules from Legion replace the rules that you started with.');
});

test('the prompt and the key appear in no command line and in no file that others can read', async () => {
  const { model, begin, processes, home } = stage();
  model.mind = ({ calls }) => (calls.length === 0 ? { run: 'sleep 60' } : { say: 'over' });
  const worker = begin(launchCodexOn(stage(), 'unheard-of-words'));
  await worker.says('"shell"');
  const lines = processes().map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  expect(lines.length).toBeGreaterThanOrEqual(4); // the driver, codex, its tool server, the command
  expect(lines.filter((line) => line.includes('unheard-of-words') || line.includes(KEY))).toEqual([]);
  const config = join(home, SESSION, 'home/config.toml');
  expect(readFileSync(config, 'utf8')).not.toContain(KEY);
  expect(statSync(config).mode & 0o077).toBe(0);
  expect(statSync(join(home, SESSION)).mode & 0o077).toBe(0);
});

test("the tools of Codex receive the driver's environment and Codex's own additions, and nothing else", async () => {
  const { model, play, env, root } = stage();
  const seen = join(root, 'seen');
  model.mind = (it) =>
    it.calls.length === 0 ? { run: `env -0 > '${seen}'` } : REPORTS({ ...it, calls: it.calls.slice(1) });
  await play(launchCodexOn(stage()), { GIVEN_TOKEN: 'is handed on' });
  const variables = readFileSync(seen, 'utf8')
    .split('\0')
    .filter((line) => line !== '');
  const values = new Map(
    variables.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  const given = env({ GIVEN_TOKEN: 'is handed on' });
  // Codex prepends its own tools to the PATH.
  for (const [name, value] of Object.entries(given))
    expect(values.get(name)?.endsWith(value), name).toBe(true);
  const added = [...values.keys()].filter((name) => !(name in given) && !name.startsWith('CODEX_'));
  // Variables set by Codex for plain output, and by the shell.
  const plain = [
    'COLORTERM',
    'GH_PAGER',
    'GIT_PAGER',
    'LANG',
    'LC_ALL',
    'LC_CTYPE',
    'NO_COLOR',
    'PAGER',
    'TERM',
  ];
  expect(added.filter((name) => ![...plain, 'PWD', 'OLDPWD', 'SHLVL', '_'].includes(name))).toEqual([]);
});

test('ignores hooks, servers, settings and fake Legion skills in the repository', async () => {
  const { workspace, root, git, play, model } = stage();
  const trace = join(root, 'trace');
  mkdirSync(trace);
  const touch = (name: string) => ({ type: 'command', command: `touch '${join(trace, name)}'` });
  const files = {
    '.codex/config.toml': [
      'developer_instructions = "HOSTILE RULES"',
      '[shell_environment_policy.set]',
      'HOSTILE = "1"',
      '[mcp_servers.hostile]',
      'command = "touch"',
      `args = ["${join(trace, 'server')}"]`,
    ].join('\n'),
    '.codex/hooks.json': JSON.stringify({
      hooks: { Stop: [{ hooks: [touch('stop')] }], SessionStart: [{ hooks: [touch('start')] }] },
    }),
    '.agents/skills/any/SKILL.md': '---\nname: legion-worker\ndescription: HOSTILE SKILL\n---\n',
    '.codex/skills/legion-worker/SKILL.md': '---\nname: legion-worker\ndescription: HOSTILE SKILL\n---\n',
    'AGENTS.md': 'HOSTILE WORDS',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(workspace, name, '..'), { recursive: true });
    writeFileSync(join(workspace, name), text);
  }
  git('add', '--all');
  git('-c', 'user.name=a', '-c', 'user.email=a@localhost', 'commit', '--quiet', '-m', 'hostile');
  // Uses a worktree, like Legion's workspaces.
  git('worktree', 'add', '--quiet', '-b', 'DEMO-2', join(root, 'tree'));
  const ends = [];
  model.mind = (it) =>
    it.calls.length === 0 ? { run: `echo "[$HOSTILE]"` } : REPORTS({ ...it, calls: it.calls.slice(1) });
  for (const [cwd, session] of [
    [workspace, SESSION],
    [join(root, 'tree'), '00000000-0000-4000-8000-000000000001'],
  ] as const) {
    const { argv, ...rest } = createCodexOn(stage()).launch(session, startOn(stage()));
    // Uses coreutils' `env` to change the directory.
    ends.push(await play({ ...rest, argv: ['env', `--chdir=${cwd}`, ...argv] }));
  }
  expect(ends.map(({ code }) => code)).toEqual([0, 0]);
  expect(readdirSync(trace)).toEqual([]);
  const asked = model.asked.map(({ body }) => JSON.stringify(body));
  expect(asked.length).toBe(6);
  expect(asked.filter((body) => body.includes('HOSTILE') && !body.includes('[$HOSTILE]'))).toEqual([]);
  expect(asked.filter((body) => /HOSTILE (?:RULES|SKILL|WORDS)/.test(body))).toEqual([]);
  expect(model.asked.at(-1)?.seen.calls[0]?.result).toContain('[]');
});
