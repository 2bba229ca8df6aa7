import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../../support/running-daemon.ts';
import { stage } from '../support/legion.ts';

const begin = stage();

/** Longer than any patience of this test: whoever waits for it is found out. */
const LONG_S = 300;

test('a daemon that ends waits for no command of the repository; the next one runs what was cut short anew', async () => {
  const life = await begin({
    yaml: 'limits: { per_mode: { test: 0 } }\n',
    files: {
      '.legion/config.yml': 'commands: { setup: [sh, once.sh, setup], quality_gate: [sh, once.sh, gate] }\n',
      '.gitignore': 'legion.yaml\n*.log\n',
      'once.sh': `[ -f "$1.log" ] || { echo begun >"$1.log"; sleep ${LONG_S}; }\necho done >>"$1.log"\n`,
    },
  });
  const workspaces = join(life.legion.folder, 'data/legion/workspaces/demo');
  const log = (name: string) => {
    const [folder = ''] = existsSync(workspaces)
      ? readdirSync(workspaces).filter((each) => each.startsWith('demo-'))
      : [];
    const path = join(workspaces, folder, `${name}.log`);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  };
  const id = await life.add({ status: 'In Progress' });
  for (const name of ['setup', 'gate']) {
    await until(
      async () => log(name),
      (text) => text === 'begun\n',
      100_000,
    );
    await life.stop();
    expect(log(name)).toBe('begun\n');
    await life.start();
  }
  await life.untilStatus(id, 'Testing');
  expect([log('setup'), log('gate')]).toEqual(['begun\ndone\n', 'begun\ndone\n']);
  const { workers } = await life.detail(id);
  expect(workers.map(({ mode, attempt, crashes }) => [mode, attempt, crashes])).toEqual([
    ['implement', 1, 0],
  ]);
  const proofs = (await life.door.events()).flatMap((event) =>
    event.type === 'evidence.recorded' ? [`${event.kind} ${event.verdict}`] : [],
  );
  expect(proofs).toEqual(['quality_gate passed']);
});
