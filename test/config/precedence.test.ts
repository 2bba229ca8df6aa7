/** Tests the precedence of flag, file, environment and default, and the source of each value. */
import { expect, test } from 'vitest';
import {
  hasScriptedAgent,
  listAgentUses,
  listModesWithoutAgent,
  resolveModeAgent,
} from '../../src/config/legion/mode-agents.ts';
import { formatSource } from '../../src/config/legion/settings.ts';
import { toHealthOverrides } from '../../src/config/legion/work.ts';
import { DEFAULT_HEALTH_LIMITS, resolveHealthLimits } from '../../src/core/health/limits.ts';
import { MODES } from '../../src/core/model/mode.ts';
import { accepted, refusalOf, resolving } from './resolving.ts';

const FLAG = { key: 'port', name: '--port', text: '4' };

test.each([
  { flag: true, file: true, variable: true, port: 4, source: '--port' },
  { flag: true, file: true, variable: false, port: 4, source: '--port' },
  { flag: true, file: false, variable: true, port: 4, source: '--port' },
  { flag: true, file: false, variable: false, port: 4, source: '--port' },
  { flag: false, file: true, variable: true, port: 3, source: 'legion.yaml:2:1' },
  { flag: false, file: true, variable: false, port: 3, source: 'legion.yaml:2:1' },
  { flag: false, file: false, variable: true, port: 2, source: 'LEGION_DAEMON_PORT' },
  { flag: false, file: false, variable: false, port: 13_370, source: 'default' },
])(
  'with flag: $flag, file: $file and variable: $variable, the port is $port from $source',
  ({ flag, file, variable, port, source }) => {
    const { config, sources } = accepted(
      resolving(file ? '# ours\nport: 3\n' : '', {
        flags: flag ? [FLAG] : [],
        environment: variable ? { LEGION_DAEMON_PORT: '2' } : {},
      }),
    );
    expect(config.port).toBe(port);
    expect(formatSource(sources.get('port') ?? { from: 'default' })).toBe(source);
  },
);

test('merges sections from several sources key by key, but takes each list from one source', () => {
  const { config, sources } = accepted(
    resolving('legion: a/1\nbackend: github\nlimits: {respawns: 2}\nextra_projects: [a/2]', {
      environment: { LEGION_WIP_LIMIT: '3', LEGION_EXTRA_PROJECTS: 'a/3,a/4' },
    }),
  );
  expect(config.limits).toEqual({ workers: 3, respawns: 2, per_mode: {}, rounds: {}, check_wait: 3_600_000 });
  expect(config.extra_projects).toEqual(['a/2']);
  expect(sources.get('limits.workers')).toEqual({ from: 'environment', name: 'LEGION_WIP_LIMIT' });
  expect(sources.get('limits.respawns')).toEqual({ from: 'file', path: 'legion.yaml', line: 3, column: 10 });
});

test('reports a source for every key whose name is fixed, even if another module defines the default of the key', () => {
  const { sources } = accepted(resolving(''));
  expect(sources.get('health.in_tool')).toEqual({ from: 'default' });
  expect(sources.get('approvals.merge')).toEqual({ from: 'default' });
});

test('if the keys of a section are modes or statuses, reports their position in the file', () => {
  const { sources } = accepted(resolving('agents:\n  plan: {model: big}\nstatuses: {In Progress: Doing}'));
  expect(sources.get('agents.plan.model')).toMatchObject({ line: 2, column: 10 });
  expect(sources.get('statuses.In Progress')).toMatchObject({ line: 3 });
});

test('parses flags of every kind', () => {
  const flags = [
    { key: 'limits.check_wait', name: '--check-wait', text: '2h' },
    { key: 'limits.rounds.ci_failure', name: '--ci-rounds', text: ' 7 ' },
    { key: 'health.grace', name: '--grace', text: '30' },
    { key: 'auto_advance', name: '--auto-advance', text: 'off' },
    { key: 'agents.default.agent', name: '--runtime', text: 'opencode' },
    { key: 'credentials.worker_env', name: '--worker-env', text: 'NPM_TOKEN, CI' },
    { key: 'dispatch.min_free_disk', name: '--min-free-disk', text: '1.5GB' },
  ];
  const { config } = accepted(resolving('', { flags }));
  expect(config).toMatchObject({
    limits: { check_wait: 7_200_000, rounds: { ci_failure: 7 } },
    health: { grace: 30_000 },
    auto_advance: false,
    agents: { default: { agent: 'opencode' } },
    credentials: { worker_env: ['NPM_TOKEN', 'CI'] },
    dispatch: { min_free_disk: 1.5e9 },
  });
});

test('reports an invalid flag as a usage error', () => {
  const { code, message } = refusalOf(resolving('', { flags: [{ ...FLAG, text: '1e3' }] }));
  expect([code, message]).toEqual([
    'usage.invalid',
    '--port: port: expected a whole number from 0 to 65535, got "1e3"',
  ]);
});

test('reports the problems of all sources together, including problems in values that are overridden', () => {
  const { message } = refusalOf(
    resolving('port: b', {
      flags: [{ ...FLAG, text: 'a' }],
      environment: { LEGION_DAEMON_PORT: 'c' },
    }),
  );
  const says = 'port: expected a whole number from 0 to 65535, got';
  expect(message.split('\n')).toEqual([
    `--port: ${says} "a"`,
    `legion.yaml:1:7: ${says} "b"`,
    `LEGION_DAEMON_PORT: ${says} "c"`,
  ]);
});

test('if two values conflict, reports the sources of both', () => {
  const { message } = refusalOf(
    resolving('', { environment: { LEGION_ISSUE_BACKEND: 'linear', LEGION_ID: 'acme/3' } }),
  );
  expect(message).toBe(
    'LEGION_ID: legion: expected the UUID of a Linear team because backend is linear (LEGION_ISSUE_BACKEND), got "acme/3"',
  );
});

test('derives the forge from the board unless the forge is configured', () => {
  const forge = (text: string) => accepted(resolving(text)).config.forge;
  expect(forge('')).toBe('local');
  expect(forge('backend: github\nlegion: a/1')).toBe('github');
  expect(forge('backend: github\nlegion: a/1\nforge: local')).toBe('local');
});

test('fills in missing settings of a mode from `default`, except the model if the agents differ', () => {
  const { config } = accepted(
    resolving(
      'agents:\n  default: {agent: claude-code, model: big}\n  plan: {fallback: {model: small}}\n  test: {agent: codex}',
    ),
  );
  expect(resolveModeAgent(config, 'merge')).toEqual({ agent: 'claude-code', model: 'big' });
  expect(resolveModeAgent(config, 'plan')).toEqual({
    agent: 'claude-code',
    model: 'big',
    fallback: { agent: 'claude-code', model: 'small' },
  });
  expect(resolveModeAgent(config, 'test')).toEqual({ agent: 'codex' });
});

test('has no agent for a mode unless the operator chooses one', () => {
  const { config } = accepted(resolving('agents: { review: { agent: codex } }'));
  expect(resolveModeAgent(config, 'plan')).toBeUndefined();
  expect(listModesWithoutAgent(config)).toEqual(MODES.filter((mode) => mode !== 'review'));
  expect(listAgentUses(config)).toEqual([{ agent: 'codex' }]);
});

test.each([
  ['agents: { default: { agent: scripted } }', '1:22: agents.default.agent'],
  ['agents: { plan: { agent: scripted } }', '1:19: agents.plan.agent'],
  [
    'agents: { default: { agent: codex, fallback: { agent: scripted } } }',
    '1:48: agents.default.fallback.agent',
  ],
])('%s is refused unless `scripted: allowed` is set', (text, where) => {
  const fault = refusalOf(resolving(text));
  expect(fault.code).toBe('agent.scripted_not_allowed');
  expect(fault.message).toContain(`${where}: the scripted agent does no real work`);
  const { config } = accepted(resolving(`${text}\nscripted: allowed`));
  expect(hasScriptedAgent(config)).toBe(true);
  expect(refusalOf(resolving(`${text}\nscripted: yes`)).message).toContain('scripted: expected allowed');
});

test('returns all health limits and the limit on respawns, under the names that the health contract uses', () => {
  const names = Object.keys(DEFAULT_HEALTH_LIMITS).filter((name) => name !== 'respawns');
  const keys = names.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  const text = `limits: {respawns: 2}\nhealth: {${keys.map((key) => `${key}: 77`).join(', ')}}`;
  const overrides = toHealthOverrides(accepted(resolving(text)).config);
  expect(Object.keys(overrides).sort()).toEqual(Object.keys(DEFAULT_HEALTH_LIMITS).sort());
  expect(resolveHealthLimits(overrides)).toMatchObject({ notStarted: 77_000, loopCrashes: 77, respawns: 2 });
  expect(toHealthOverrides(accepted(resolving('')).config)).toEqual({});
});
