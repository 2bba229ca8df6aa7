import { expect, test } from 'vitest';
import { AgentReadiness } from '../../../src/daemon/supervisor/agent-readiness.ts';
import { Troubles } from '../../../src/daemon/troubles.ts';
import type { Preflight } from '../../../src/ports/agent.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const CHOICE = { agent: 'claude-code', model: 'opus' };
const READY: Preflight = { ready: true, version: '2.1' };
const MISSING: Preflight = { ready: false, problem: 'claude is not on the PATH.', next: 'Install it.' };

function watching(preflight: (asked: number, signal: AbortSignal) => Promise<Preflight>) {
  const clock = new VirtualClock();
  const troubles = new Troubles(clock, () => undefined);
  let asked = 0;
  let changes = 0;
  const readiness = new AgentReadiness({
    ...{ clock, troubles },
    preflight: (_choice, signal) => {
      asked += 1;
      return preflight(asked, signal);
    },
    changed: () => {
      changes += 1;
    },
  });
  return { clock, troubles, readiness, asked: () => asked, changes: () => changes };
}

test('nobody knows at first; then it is ready, and is asked again only after a while', async () => {
  const { clock, readiness, asked, changes } = watching(async () => READY);
  expect(readiness.of(CHOICE)).toBe('unknown');
  await clock.advance(1);
  expect(readiness.of(CHOICE)).toBe('ready');
  expect([asked(), changes()]).toEqual([1, 1]);
  await clock.advance(6 * 60_000);
  expect(readiness.of(CHOICE)).toBe('ready');
  await clock.advance(1);
  expect([asked(), changes()]).toEqual([2, 1]);
  await readiness.close();
});

test('what is missing is told, and looked for until it is there', async () => {
  const { clock, troubles, readiness, asked, changes } = watching(async (count) =>
    count < 3 ? MISSING : READY,
  );
  readiness.of(CHOICE);
  await clock.advance(1);
  expect(readiness.of(CHOICE)).toEqual({
    problem: 'claude is not on the PATH. Install it.',
    next: 'Install it.',
  });
  expect(troubles.list()).toMatchObject([{ code: 'agent.not_ready' }]);
  await clock.advance(15_000);
  await clock.advance(15_000);
  expect(readiness.of(CHOICE)).toBe('ready');
  expect(troubles.list()).toEqual([]);
  expect([asked(), changes()]).toEqual([3, 2]);
  await readiness.close();
});

test('an agent that does not answer keeps nobody waiting', async () => {
  const { clock, readiness } = watching(
    (_, signal) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
      ),
  );
  readiness.of(CHOICE);
  await clock.advance(30_000);
  expect(readiness.of(CHOICE)).toBe('ready');
  await readiness.close();
});

const LOGGED_OUT: Preflight = { ready: false, problem: 'not logged in', next: 'Log in.' };
const REFUSED = { problem: 'Its login was refused (401). Log in.', next: 'Log in.' };

test('a refused login holds its agent; one that was missing since and is there again is good at once', async () => {
  let login: Preflight = LOGGED_OUT;
  const { clock, troubles, readiness, changes } = watching(async (count) => (count === 1 ? READY : login));
  readiness.of(CHOICE);
  await clock.advance(1);
  const before = changes();
  readiness.refuse(CHOICE, '401', 'Log in.');
  expect(readiness.of(CHOICE)).toEqual(REFUSED);
  expect(changes()).toBe(before + 1);
  expect(troubles.list()).toMatchObject([{ code: 'agent.not_ready' }]);
  await clock.advance(1);
  expect(readiness.of(CHOICE)).toMatchObject({ problem: 'not logged in. Log in.' });
  login = READY;
  await clock.advance(15_000);
  expect(readiness.of(CHOICE)).toBe('ready');
  expect(troubles.list()).toEqual([]);
  await readiness.close();
});

test('a refused login that looks fine is tried again after a minute, then after two; one refusal counts once', async () => {
  const { clock, readiness } = watching(async () => READY);
  readiness.of(CHOICE);
  await clock.advance(1);
  const isHeld = () => typeof readiness.of(CHOICE) === 'object';
  const wait = async (seconds: number) => {
    for (let waited = 0; waited < seconds; waited += 15) await clock.advance(15_000);
  };
  readiness.refuse(CHOICE, '401', 'Log in.');
  readiness.refuse(CHOICE, '401', 'Log in.');
  await wait(45);
  expect(isHeld()).toBe(true);
  await wait(30);
  expect(isHeld()).toBe(false);
  readiness.refuse(CHOICE, '401', 'Log in.');
  await wait(105);
  expect(isHeld()).toBe(true);
  await wait(30);
  expect(isHeld()).toBe(false);
  await readiness.close();
});
