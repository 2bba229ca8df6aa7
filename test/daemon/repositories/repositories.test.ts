import { expect, test } from 'vitest';
import type { LegionConfig } from '../../../src/config/legion/schema.ts';
import { LegionError } from '../../../src/core/model/fault.ts';
import { repositoriesOf } from '../../../src/daemon/compose-repositories.ts';
import type { OpenRepository } from '../../../src/daemon/composition/open-repository.ts';
import { Troubles } from '../../../src/daemon/troubles.ts';
import { systemClock } from '../../../src/lib/async/system-clock.ts';
import { eventually } from '../../ports/forge/eventually.ts';

function repository(name: string, renew: () => Promise<void>): OpenRepository {
  const rules = { current: () => undefined, refresh: async () => undefined };
  return { name, renew, rules, ground: { isDemo: true } } as unknown as OpenRepository;
}

function together(all: readonly OpenRepository[]) {
  const troubles = new Troubles(systemClock, () => undefined);
  const config = () => ({}) as LegionConfig;
  const settled: string[] = [];
  const belonging = {
    belongs: (issue: string, { name }: OpenRepository) => issue.startsWith(name),
    settle: (issue: string, { name }: OpenRepository) => void settled.push(`${issue} ${name}`),
    compare: () => undefined,
  };
  const repositories = repositoriesOf(all, belonging, config, { clock: systemClock, troubles });
  return { troubles, settled, repositories };
}

test('a fetch that never ends does not keep the rules from being read', async () => {
  const { repositories } = together([repository('a', () => new Promise(() => undefined))]);
  await repositories.refresh();
});

test('code that cannot be fetched is told as a trouble by its name; the others go on', async () => {
  const fetched: string[] = [];
  const away = repository('a', () => Promise.reject(new LegionError('git.failed', 'no way to a')));
  const there = repository('b', async () => void fetched.push('b'));
  const { repositories, troubles } = together([away, there]);
  await repositories.refresh();
  const [trouble] = await eventually('a trouble', () => troubles.list()[0] && troubles.list());
  expect([trouble?.message, fetched]).toEqual(['no way to a', ['b']]);
});

test('an issue of no repository is refused with the names of those there are', () => {
  const { repositories } = together([repository('a', async () => undefined)]);
  expect(repositories.of('a-1').name).toBe('a');
  expect(repositories.find('x-1')).toBeUndefined();
  expect(() => repositories.of('x-1')).toThrow('x-1 belongs to none of a');
});

test('an issue that work begins on is settled with its repository; one of none is refused', () => {
  const { repositories, settled } = together([repository('a', async () => undefined)]);
  expect(repositories.settle('a-1').name).toBe('a');
  expect(() => repositories.settle('x-1')).toThrow('x-1 belongs to none of a');
  expect(settled).toEqual(['a-1 a']);
});
