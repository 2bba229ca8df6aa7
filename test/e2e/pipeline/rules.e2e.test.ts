import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Explanation, HealthView, RepositoryCommands } from '../../../src/protocol/operator.ts';
import { LAUNCHER } from '../../installed/launcher.ts';
import { git } from '../../ports/forge/git.ts';
import { until } from '../../support/running-daemon.ts';
import { approveCommands, type Life, stage } from '../support/legion.ts';
import { HAND_IN, ISSUE } from '../support/steps.ts';

const begin = stage();

test('a second daemon for the same legion is refused with the name of the first, which goes on', async () => {
  const life = await begin();
  const { legion, door } = life;
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
  // Whoever comes past that question meets the lock.
  await expect(legion.start()).rejects.toThrow(`led by process ${process.pid} at ${door.url}`);
  expect((await door.get<HealthView>('/health')).ok).toBe(true);
});

test('a changed legion.yaml takes effect while it runs; a broken one changes nothing and is shown until it is mended', async () => {
  const life = await begin({ yaml: 'limits: { workers: 1, per_mode: { plan: 1, implement: 0 } }\n' });
  const { legion, door } = life;
  const health = () => door.get<HealthView>('/health');
  expect((await health()).workers.limit).toBe(1);
  legion.reconfigure('limits: { workers: 3, per_mode: { plan: 0 } }\n');
  await until(health, ({ workers }) => workers.limit === 3);
  const id = await life.add({ status: 'Todo' });

  legion.reconfigure('limits: { workers: many }\n');
  const { ok, troubles, workers } = await until(health, (answer) => !answer.ok);
  expect([ok, workers.limit]).toEqual([false, 3]);
  expect(troubles.map(({ code }) => code)).toEqual(['config.invalid']);
  expect(troubles[0]?.message).toContain('limits.workers');
  expect((await life.detail(id)).workers).toEqual([]);

  // What is in force is what it was: nothing has changed, and still nothing is wrong any more.
  legion.reconfigure('limits: { workers: 3, per_mode: { plan: 0 } }\n');
  await until(health, (answer) => answer.ok);
  legion.reconfigure('limits: { workers: 3, per_mode: { implement: 0 } }\n');
  await life.untilStatus(id, 'In Progress');
});

test('commands of the repository run only as approved, and only as they stand on its base', async () => {
  const life = await begin({
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
          ...HAND_IN,
        ],
      },
    ],
  });
  const { door, legion } = life;
  const shown = async () => (await door.get<RepositoryCommands[]>('/repositories/commands'))[0];
  const before = await shown();
  expect(before).toMatchObject({ approved: false, commands: { quality_gate: ['true'] } });
  expect((await life.inbox()).map(({ kind, text }) => [kind, text])).toEqual([
    ['commands', 'quality_gate: true'],
  ]);
  await expectHeld(life);
  const other = await door.request('POST', '/repositories/commands/approve', {
    repo: before?.repo,
    fingerprint: 'another',
  });
  expect(other.status).toBe(409);

  await approveCommands(door);
  expect(await life.inbox()).toEqual([]);
  await until(
    () => door.get<HealthView>('/health'),
    ({ ok }) => ok,
  );
  expect(await gatesRunFor(life)).toBe(1);
  expect((await shown())?.fingerprint).toBe(before?.fingerprint);
  expect(existsSync(join(legion.folder, 'sneaked-in'))).toBe(false);

  writeFileSync(join(legion.repository, '.legion/config.yml'), "commands: { quality_gate: ['false'] }\n");
  await git(legion.repository, 'commit', '--quiet', '--all', '--message=another gate');
  expect(await shown()).toMatchObject({ approved: false, commands: { quality_gate: ['false'] } });
  expect((await life.inbox()).map(({ kind }) => kind)).toEqual(['commands']);
  await expectHeld(life);
});

test('a prompt of the repository is used only as approved, and only as it stands on its base', async () => {
  const life = await begin({
    yaml: 'limits: { per_mode: { implement: 0 } }\n',
    files: { '.legion/prompts/phase.plan.md': 'Plan {{issue}} like a poet.\n' },
    approved: false,
  });
  const { door, legion } = life;
  const shown = async () => (await door.get<RepositoryCommands[]>('/repositories/commands'))[0];
  const change = async (name: string, text: string) => {
    writeFileSync(join(legion.repository, '.legion/prompts', name), text);
    await git(legion.repository, 'add', '.');
    await git(legion.repository, 'commit', '--quiet', '--message=another prompt');
  };
  expect(await shown()).toMatchObject({
    approved: false,
    prompts: { 'phase.plan': 'Plan {{issue}} like a poet.\n' },
  });
  expect((await life.inbox()).map(({ kind, text }) => [kind, text])).toEqual([
    ['commands', 'quality_gate: true\nprompt phase.plan'],
  ]);
  expect(await planPrompt(life)).not.toContain('like a poet');

  await approveCommands(door);
  expect(await life.inbox()).toEqual([]);
  const own = await planPrompt(life);
  expect(own).toMatch(/\nPlan \S+ like a poet\.\n/);
  expect(own).toContain('legion worker done');

  await change('phase.plan.md', 'Plan {{issue}} like a thief.\n');
  expect(await shown()).toMatchObject({ approved: false });
  expect((await door.get<HealthView>('/health')).troubles).toEqual([]);
  expect(await planPrompt(life)).not.toMatch(/like a (poet|thief)/);

  await change('phase.plan.md', 'Plan {{title}}.\n');
  await shown();
  const { troubles } = await door.get<HealthView>('/health');
  expect(troubles.map(({ code, message }) => [code, message])).toEqual([
    ['config.invalid', expect.stringContaining('main:.legion/prompts/phase.plan.md:1: unknown name "title"')],
  ]);
  // The commands were approved, and no prompt changes that.
  expect(await shown()).toMatchObject({ approved: true, prompts: {} });
  expect(await planPrompt(life)).toContain('Turn the specification');
});

/** What the planner of a new issue is told. */
async function planPrompt(life: Life): Promise<string> {
  const id = await life.add({ status: 'Todo' });
  await life.untilStatus(id, 'In Progress');
  return life.prompts(id, 'plan')[0] ?? '';
}

/** No worker of a new issue is started, and both its explanation and the health of the daemon name the problem. */
async function expectHeld(life: Life): Promise<void> {
  const id = await life.add({ status: 'In Progress' });
  const { state } = await until(
    () => life.door.get<Explanation>(`/issues/${id}/explain`),
    (explanation) => explanation.state.reason === 'preflight_failed',
  );
  expect(state.evidence.join()).toContain('preflight.commands_unapproved');
  const { troubles } = await until(
    () => life.door.get<HealthView>('/health'),
    ({ ok }) => !ok,
  );
  expect(troubles.map(({ code }) => code)).toEqual(['preflight.commands_unapproved']);
  expect((await life.detail(id)).workers).toEqual([]);
}

/** Takes an issue to Testing; resolves to how often its quality gate was run on the way. */
async function gatesRunFor(life: Life): Promise<number> {
  const id = await life.add({ status: 'In Progress' });
  await life.untilStatus(id, 'Testing');
  const events = await life.door.events();
  return events.filter(
    (event) => event.type === 'evidence.recorded' && event.issue === id && event.kind === 'quality_gate',
  ).length;
}
