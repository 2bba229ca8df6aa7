/** Tests watching without a terminal: one line per event, across restarts of the daemon. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LAUNCHER } from '../../installed/launcher.ts';
import { HEALTH } from '../support/answers.ts';
import { newHome, writeLegionFile } from '../support/home.ts';
import { openWireDaemon } from '../support/wire-daemon.ts';

const home = newHome();
const ANSWERS = { 'GET /health': HEALTH };
beforeAll(() => writeLegionFile(home.repository));
afterAll(() => home.remove());

test('prints the events after a given event number, and then new events, as readable text', async () => {
  const daemon = await openWireDaemon(home.state, ANSWERS);
  const child = watching('--after', '1');
  try {
    daemon.happen({ ...event(1, 'leader.elected'), leader: 'old' });
    daemon.happen({
      ...event(2, 'attempt.reported'),
      issue: 'SHOP-1',
      mode: 'plan',
      attempt: 3,
      report: 1,
      outcome: 'done',
      summary: 'Evil \u001b[2J',
    });
    const [first = ''] = await linesFrom(child, 1);
    expect(first.slice('00:00:00  '.length)).toBe('SHOP-1  plan (attempt 3) reported done: Evil ·[2J');
    daemon.happen({
      ...event(3, 'labels.owed'),
      issue: 'SHOP-1',
      revision: 1,
      add: ['worker-done'],
      remove: ['worker-active'],
    });
    const command = { kind: 'comment', issue: 'SHOP-2', key: 'k', text: 'Hello' };
    daemon.happen({ ...event(4, 'intent.opened'), intent: 1, command });
    daemon.happen(event(5, 'something.of_a_newer_daemon'));
    const [second = '', begun = '', third = ''] = await linesFrom(child, 3);
    expect(begun).toContain('SHOP-2  began to comment on the issue');
    expect(second).toContain(
      'SHOP-1  will change labels on the board: add worker-done; remove worker-active',
    );
    expect(third).toContain('something of a newer daemon');
  } finally {
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    await daemon.close();
  }
});

test('continues without gaps or repetitions after a restart of the daemon', async () => {
  const before = await openWireDaemon(home.state, ANSWERS);
  const child = watching('--json');
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  try {
    while (before.listeners() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    before.happen(event(8, 'intent.opened'));
    expect((await linesFrom(child, 1)).map(seqOf)).toEqual([8]);
    await before.close();
    const after = await openWireDaemon(home.state, ANSWERS);
    for (const seq of [7, 8, 9, 10]) after.happen(event(seq, 'intent.settled'));
    expect((await linesFrom(child, 2)).map(seqOf)).toEqual([9, 10]);
    expect(complaint).toMatch(/^legion: the daemon is unreachable: .*\nlegion: the daemon is back\n$/);
    await after.close();
  } finally {
    child.kill('SIGTERM');
    await once(child, 'close');
  }
});

function event(seq: number, type: string) {
  return { seq, at: 1_000, epoch: 1, type };
}

function seqOf(line: string): number {
  return JSON.parse(line).seq;
}

function watching(...args: string[]): ChildProcessWithoutNullStreams {
  const env = { ...home.env, NO_COLOR: '1' };
  return spawn(process.execPath, [LAUNCHER, 'watch', ...args], { cwd: home.repository, env });
}

async function linesFrom(child: ChildProcessWithoutNullStreams, count: number): Promise<readonly string[]> {
  let text = '';
  while (text.split('\n').length <= count) text += String((await once(child.stdout, 'data'))[0]);
  return text.split('\n').slice(0, count);
}
