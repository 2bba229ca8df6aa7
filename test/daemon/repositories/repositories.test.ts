import { expect, test } from 'vitest';
import type { LegionConfig } from '../../../src/config/legion/schema.ts';
import { LegionError } from '../../../src/core/model/fault.ts';
import type { OpenRepository } from '../../../src/daemon/composition/open-repository.ts';
import { ActiveProblems } from '../../../src/daemon/context/active-problems.ts';
import { createRepositories } from '../../../src/daemon/repositories/repositories.ts';
import { systemClock } from '../../../src/lib/async/system-clock.ts';
import { eventually } from '../../ports/forge/eventually.ts';

function repository(name: string, fetchLatest: () => Promise<void>): OpenRepository {
  const rules = { current: () => undefined, refresh: async () => undefined };
  return { name, fetchLatest, rules, source: { isDemo: true } } as unknown as OpenRepository;
}

function together(all: readonly OpenRepository[]) {
  const problems = new ActiveProblems(systemClock, () => undefined);
  const config = () => ({}) as LegionConfig;
  const settled: string[] = [];
  const belonging = {
    belongs: (issue: string, { name }: OpenRepository) => issue.startsWith(name),
    assign: (issue: string, { name }: OpenRepository) => void settled.push(`${issue} ${name}`),
    reportMismatches: () => undefined,
  };
  const repositories = createRepositories(all, belonging, config, { clock: systemClock, problems: problems });
  return { troubles: problems, settled, repositories };
}

test("reads a repository's rules while a fetch hangs", async () => {
  const { repositories } = together([repository('a', () => new Promise(() => undefined))]);
  await repositories.refresh();
});

test("reports a failed fetch with the repository's name and continues with the others", async () => {
  const fetched: string[] = [];
  const away = repository('a', () => Promise.reject(new LegionError('git.failed', 'a is unreachable')));
  const there = repository('b', async () => void fetched.push('b'));
  const { repositories, troubles: problems } = together([away, there]);
  await repositories.refresh();
  const [trouble] = await eventually('a trouble', () => problems.list()[0] && problems.list());
  expect([trouble?.message, fetched]).toEqual(['a is unreachable', ['b']]);
});

test('refuses an issue of an unknown repository and lists the configured repositories', () => {
  const { repositories } = together([repository('a', async () => undefined)]);
  expect(repositories.require('a-1').name).toBe('a');
  expect(repositories.find('x-1')).toBeUndefined();
  expect(() => repositories.require('x-1')).toThrow(
    'x-1 does not belong to a configured repository. Configured: a',
  );
});

test('pins an issue to its repository when work begins, and refuses an issue without a repository', () => {
  const { repositories, settled } = together([repository('a', async () => undefined)]);
  expect(repositories.assign('a-1').name).toBe('a');
  expect(() => repositories.assign('x-1')).toThrow(
    'x-1 does not belong to a configured repository. Configured: a',
  );
  expect(settled).toEqual(['a-1 a']);
});
