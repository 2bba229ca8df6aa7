import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { IssueExplanation } from '../../../src/protocol/operator.ts';
import type { RepositoryCommands } from '../../../src/protocol/repository.ts';
import type { HealthView } from '../../../src/protocol/status.ts';
import { LAUNCHER } from '../../installed/launcher.ts';
import { git } from '../../ports/forge/git.ts';
import { until } from '../../support/running-daemon.ts';
import { approveCommands, setUpDaemons, type TestDaemon } from '../support/legion.ts';
import { ISSUE, SUBMIT_WORK } from '../support/steps.ts';

const startDaemon = setUpDaemons();

test('refuses a second daemon for the same legion and reports which process leads it; the first daemon continues', async () => {
  const daemon = await startDaemon();
  const { legion, client } = daemon;
  const said = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      [LAUNCHER, 'up', '--foreground'],
      { cwd: legion.repository, env: legion.environment },
      (error, _, stderr) => resolve({ code: error?.code ?? 0, stderr }),
    );
  });
  expect(said.code).not.toBe(0);
  expect(said.stderr).toContain('daemon.running');
  expect(said.stderr).toContain(`pid ${process.pid}`);
  // A daemon that skips the check of `legion up` still fails to acquire the lock.
  await expect(legion.start()).rejects.toThrow(`led by process ${process.pid} at ${client.url}`);
  expect((await client.get<HealthView>('/health')).ok).toBe(true);
});

test('applies a changed legion.yaml immediately, but ignores an invalid one and reports it until it is fixed', async () => {
  const daemon = await startDaemon({ yaml: 'limits: { workers: 1, per_mode: { plan: 1, implement: 0 } }\n' });
  const { legion, client } = daemon;
  const health = () => client.get<HealthView>('/health');
  expect((await health()).workers.limit).toBe(1);
  legion.reconfigure('limits: { workers: 3, per_mode: { plan: 0 } }\n');
  await until(health, ({ workers }) => workers.limit === 3);
  const id = await daemon.add({ status: 'Todo' });

  legion.reconfigure('limits: { workers: many }\n');
  const { ok, troubles, workers } = await until(health, (answer) => !answer.ok);
  expect([ok, workers.limit]).toEqual([false, 3]);
  expect(troubles.map(({ code }) => code)).toEqual(['config.invalid']);
  expect(troubles[0]?.message).toContain('limits.workers');
  expect((await daemon.detail(id)).workers).toEqual([]);

  // A valid file with the same settings has no effect, except that it clears the problem.
  legion.reconfigure('limits: { workers: 3, per_mode: { plan: 0 } }\n');
  await until(health, (answer) => answer.ok);
  legion.reconfigure('limits: { workers: 3, per_mode: { implement: 0 } }\n');
  await daemon.untilStatus(id, 'In Progress');
});

test('runs repository commands only if they are approved and on the base branch', async () => {
  const daemon = await startDaemon({
    yaml: 'limits: { per_mode: { test: 0 } }\n',
    files: { '.legion/config.yml': "commands: { quality_gate: ['true'] }\n" },
    approved: false,
    scenario: [
      {
        mode: 'implement',
        steps: [
          {
            write: {
              path: '.legion/config.yml',
              content: 'commands: { quality_gate: [touch, ../../../../../sneaked-in] }\n',
            },
          },
          { write: { path: `${ISSUE}.txt`, content: 'work\n' } },
          ...SUBMIT_WORK,
        ],
      },
    ],
  });
  const { client, legion } = daemon;
  const shown = async () => (await client.get<RepositoryCommands[]>('/repositories/commands'))[0];
  const before = await shown();
  expect(before).toMatchObject({ approved: false, commands: { quality_gate: ['true'] } });
  expect((await daemon.inbox()).map(({ kind, text }) => [kind, text])).toEqual([
    ['commands', 'quality_gate: true'],
  ]);
  await expectHeld(daemon);
  const other = await client.request('POST', '/repositories/commands/approve', {
    repo: before?.repo,
    fingerprint: 'another',
  });
  expect(other.status).toBe(409);

  await approveCommands(client);
  expect(await daemon.inbox()).toEqual([]);
  await until(
    () => client.get<HealthView>('/health'),
    ({ ok }) => ok,
  );
  expect(await gatesRunFor(daemon)).toBe(1);
  expect((await shown())?.fingerprint).toBe(before?.fingerprint);
  expect(existsSync(join(legion.folder, 'sneaked-in'))).toBe(false);

  writeFileSync(join(legion.repository, '.legion/config.yml'), "commands: { quality_gate: ['false'] }\n");
  await git(legion.repository, 'commit', '--quiet', '--all', '--message=another gate');
  expect(await shown()).toMatchObject({ approved: false, commands: { quality_gate: ['false'] } });
  expect((await daemon.inbox()).map(({ kind }) => kind)).toEqual(['commands']);
  await expectHeld(daemon);
});

test('uses a repository prompt only if it is approved and on the base branch', async () => {
  const daemon = await startDaemon({
    yaml: 'limits: { per_mode: { implement: 0 } }\n',
    files: { '.legion/prompts/phase.plan.md': 'Plan {{issue}} like a poet.\n' },
    approved: false,
  });
  const { client, legion } = daemon;
  const shown = async () => (await client.get<RepositoryCommands[]>('/repositories/commands'))[0];
  const change = async (name: string, text: string) => {
    writeFileSync(join(legion.repository, '.legion/prompts', name), text);
    await git(legion.repository, 'add', '.');
    await git(legion.repository, 'commit', '--quiet', '--message=another prompt');
  };
  expect(await shown()).toMatchObject({
    approved: false,
    prompts: { 'phase.plan': 'Plan {{issue}} like a poet.\n' },
  });
  expect((await daemon.inbox()).map(({ kind, text }) => [kind, text])).toEqual([
    ['commands', 'quality_gate: true\nprompt phase.plan'],
  ]);
  expect(await planPrompt(daemon)).not.toContain('like a poet');

  await approveCommands(client);
  expect(await daemon.inbox()).toEqual([]);
  const own = await planPrompt(daemon);
  expect(own).toMatch(/\nPlan \S+ like a poet\.\n/);
  expect(own).toContain('legion worker done');

  await change('phase.plan.md', 'Plan {{issue}} like a thief.\n');
  expect(await shown()).toMatchObject({ approved: false });
  expect((await client.get<HealthView>('/health')).troubles).toEqual([]);
  expect(await planPrompt(daemon)).not.toMatch(/like a (poet|thief)/);

  await change('phase.plan.md', 'Plan {{title}}.\n');
  await shown();
  const { troubles } = await client.get<HealthView>('/health');
  expect(troubles.map(({ code, message }) => [code, message])).toEqual([
    ['config.invalid', expect.stringContaining('main:.legion/prompts/phase.plan.md:1: unknown name "title"')],
  ]);
  // The commands stay approved, even if prompts change.
  expect(await shown()).toMatchObject({ approved: true, prompts: {} });
  expect(await planPrompt(daemon)).toContain('Turn the specification');
});

/** Returns the prompt of a new issue's planner. */
async function planPrompt(daemon: TestDaemon): Promise<string> {
  const id = await daemon.add({ status: 'Todo' });
  await daemon.untilStatus(id, 'In Progress');
  return daemon.prompts(id, 'plan')[0] ?? '';
}

/**
 * Expects that no worker of a new issue starts, and that its explanation and the daemon's health
 * report the problem.
 */
async function expectHeld(daemon: TestDaemon): Promise<void> {
  const id = await daemon.add({ status: 'In Progress' });
  const { state } = await until(
    () => daemon.client.get<IssueExplanation>(`/issues/${id}/explain`),
    (explanation) => explanation.state.reason === 'preflight_failed',
  );
  expect(state.evidence.join()).toContain('preflight.commands_unapproved');
  const { troubles } = await until(
    () => daemon.client.get<HealthView>('/health'),
    ({ ok }) => !ok,
  );
  expect(troubles.map(({ code }) => code)).toEqual(['preflight.commands_unapproved']);
  expect((await daemon.detail(id)).workers).toEqual([]);
}

/** Takes an issue to Testing. Resolves to the number of times its quality gate ran on the way. */
async function gatesRunFor(daemon: TestDaemon): Promise<number> {
  const id = await daemon.add({ status: 'In Progress' });
  await daemon.untilStatus(id, 'Testing');
  const events = await daemon.client.events();
  return events.filter(
    (event) => event.type === 'evidence.recorded' && event.issue === id && event.kind === 'quality_gate',
  ).length;
}
