import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../../support/running-daemon.ts';
import { setUpDaemons } from '../support/legion.ts';

const startDaemon = setUpDaemons();

/**
 * Duration of a command in seconds. If the daemon waited for the command, this test would time out.
 */
const LONG_S = 300;

test('a stopping daemon does not wait for repository commands, and the next daemon runs the interrupted commands again', async () => {
  const daemon = await startDaemon({
    yaml: 'limits: { per_mode: { test: 0 } }\n',
    files: {
      '.legion/config.yml': 'commands: { setup: [sh, once.sh, setup], quality_gate: [sh, once.sh, gate] }\n',
      '.gitignore': 'legion.yaml\n*.log\n',
      'once.sh': `[ -f "$1.log" ] || { echo begun >"$1.log"; sleep ${LONG_S}; }\necho done >>"$1.log"\n`,
    },
  });
  const workspaces = join(daemon.legion.folder, 'data/legion/workspaces/demo');
  const log = (name: string) => {
    const [folder = ''] = existsSync(workspaces)
      ? readdirSync(workspaces).filter((each) => each.startsWith('demo-'))
      : [];
    const path = join(workspaces, folder, `${name}.log`);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  };
  const id = await daemon.add({ status: 'In Progress' });
  for (const name of ['setup', 'gate']) {
    await until(
      async () => log(name),
      (text) => text === 'begun\n',
      100_000,
    );
    await daemon.stop();
    expect(log(name)).toBe('begun\n');
    await daemon.start();
  }
  await daemon.untilStatus(id, 'Testing');
  expect([log('setup'), log('gate')]).toEqual(['begun\ndone\n', 'begun\ndone\n']);
  const { workers } = await daemon.detail(id);
  expect(workers.map(({ mode, attempt, crashes }) => [mode, attempt, crashes])).toEqual([
    ['implement', 1, 0],
  ]);
  const proofs = (await daemon.client.events()).flatMap((event) =>
    event.type === 'evidence.recorded' ? [`${event.kind} ${event.verdict}`] : [],
  );
  expect(proofs).toEqual(['quality_gate passed']);
});
