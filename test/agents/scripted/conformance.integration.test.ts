/**
 * Runs the agent conformance suite on the scripted agent, and tests behaviour that only this agent
 * has.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createScriptedAgent } from '../../../src/agents/scripted/scripted-agent.ts';
import { scripted } from '../../../src/cli/commands/agents/scripted.ts';
import type { CommandContext } from '../../../src/cli/program/define-command.ts';
import { parseLine } from '../../cli/support/parse-line.ts';
import { agentConformance } from '../../ports/agent/conformance.ts';
import { LAUNCHER, rule, useStage } from './scripted-stage.ts';
import { watched } from './watched.ts';

const stage = useStage();

agentConformance('scripted', async () => {
  const { home, workspace } = stage();
  const scenario = stage().scenario(rule([{ say: 'hello' }, { done: 'said hello' }]));
  const agent = createScriptedAgent({ launcher: LAUNCHER, home, scenario });
  return {
    agent,
    start: { prompt: 'the words of the issue', workspace },
    run: (launch) => watched(stage().start(launch)).end,
    lacking: { agent, model: join(home, 'no-such-scenario.yaml') },
    dispose: async () => undefined,
  };
});

const START = { prompt: 'p', workspace: '/w' };

test('the launcher starts the agent with the scenario file from the settings, and resolves its path against the base directory', () => {
  const launcher = ['node', 'legion.js'] as const;
  const agent = createScriptedAgent({ launcher, home: '/home', base: '/config', scenario: 'usual.yaml' });
  expect(agent.launch('s', START)).toEqual({
    argv: [...launcher, 'scripted', '--session', 's', '--home', '/home', '--scenario', '/config/usual.yaml'],
    env: { NODE_COMPILE_CACHE: '/home/compiled' },
    stdin: 'p',
  });
  const { argv } = agent.resume('s', undefined, { ...START, model: '/own.json' });
  expect(argv.slice(3)).toEqual(['--session', 's', '--resume', '--home', '/home', '--scenario', '/own.json']);
  expect(createScriptedAgent({ launcher, home: '/home' }).launch('s', START).argv).not.toContain(
    '--scenario',
  );
});

test('the preflight reports the mistake in an invalid scenario', async () => {
  const { home } = stage();
  const agent = createScriptedAgent({ launcher: LAUNCHER, home });
  const bad = stage().scenario(rule([{ comit: 'x' }]));
  const { signal } = new AbortController();
  expect(await agent.preflight(signal, { model: bad })).toMatchObject({
    ready: false,
    problem: expect.stringContaining(`${bad}: rules[0].steps[0]: "comit" is not a step`),
    next: expect.stringContaining('docs/scenarios.md'),
  });
  const good = stage().scenario(rule([{ say: 'x' }]));
  expect(await agent.preflight(signal, { model: good })).toEqual({
    ready: true,
    version: `${good}, 1 rules`,
  });
});

test('prints an error line, exits with code 1 and creates no session if the scenario is invalid', async () => {
  const model = stage().scenario(rule([{ say: '' }]));
  const agent = createScriptedAgent({ launcher: LAUNCHER, home: stage().home });
  const { code, out, err } = await watched(stage().start(agent.launch('s', { ...START, model }))).end;
  expect(code).toBe(1);
  expect(out.trim().split('\n').flatMap(agent.read)).toEqual([
    { kind: 'error', message: expect.stringContaining('rules[0].steps[0].say') },
  ]);
  expect(err).toContain('[scenario.invalid]');
  expect(await agent.session('s', undefined, '/w')).toBe('missing');
});

test('refuses an unknown command line', async () => {
  const context = { cwd: '/w' } as CommandContext;
  const given = [
    ['--home', '/h'],
    ['--session', 's'],
    ['--session', '../x', '--home', '/h'],
    ['--frobnicate'],
  ];
  for (const args of given) {
    const played = (async () => scripted.run(parseLine(scripted, ['scripted'], args), context))();
    await expect(played).rejects.toMatchObject({ code: 'usage.invalid' });
  }
});

test('continues a session whose file was truncated by a kill, and still counts its earlier rounds', async () => {
  const scenario = stage().scenario({
    rules: [
      { round: 1, steps: [{ say: 'first' }] },
      { round: 2, steps: [{ say: 'second' }] },
    ],
  });
  await stage().play(scenario, { session: 's' });
  appendFileSync(join(stage().home, 's.jsonl'), '{"type":"turn","issue":"DEM');
  const second = await stage().play(scenario, { session: 's', resume: true });
  expect(second.events).toContainEqual({ kind: 'text', text: 'second' });
  // All rules have been used up, so the built-in scenario of the phase is played.
  await stage().play(scenario, { session: 's', resume: true });
  expect(stage().daemon.heard.map(({ verb }) => verb)).toContain('pr_open');
});

test('reports an unusable home with a fault code', async () => {
  const home = join(stage().root, 'file');
  writeFileSync(home, '');
  expect(await stage().play(rule([{ say: 'x' }]), { home })).toMatchObject({ fault: 'agent.not_ready' });
  const agent = createScriptedAgent({ launcher: LAUNCHER, home });
  expect(await agent.session('s', undefined, '/w')).toBe('unavailable');
});
