import { expect, test } from 'vitest';
import { ActiveProblems } from '../../../src/daemon/context/active-problems.ts';
import { AgentReadiness } from '../../../src/daemon/supervisor/agent-readiness.ts';
import type { PreflightResult } from '../../../src/ports/agent.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const CHOICE = { agent: 'claude-code', model: 'opus' };
const READY: PreflightResult = { ready: true, version: '2.1' };
const MISSING: PreflightResult = { ready: false, problem: 'claude is not on the PATH.', next: 'Install it.' };

function watching(preflight: (asked: number, signal: AbortSignal) => Promise<PreflightResult>) {
  const clock = new VirtualClock();
  const problems = new ActiveProblems(clock, () => undefined);
  let asked = 0;
  let changes = 0;
  const readiness = new AgentReadiness({
    clock,
    problems: problems,
    preflight: (_choice, signal) => {
      asked += 1;
      return preflight(asked, signal);
    },
    onChange: () => {
      changes += 1;
    },
  });
  return { clock, troubles: problems, readiness, asked: () => asked, changes: () => changes };
}

test('returns unknown at first, then ready, and checks again only after a while', async () => {
  const { clock, readiness, asked, changes } = watching(async () => READY);
  expect(readiness.get(CHOICE)).toBe('unknown');
  await clock.advance(1);
  expect(readiness.get(CHOICE)).toBe('ready');
  expect([asked(), changes()]).toEqual([1, 1]);
  await clock.advance(6 * 60_000);
  expect(readiness.get(CHOICE)).toBe('ready');
  await clock.advance(1);
  expect([asked(), changes()]).toEqual([2, 1]);
  await readiness.close();
});

test('reports what is missing, and keeps checking until it is available', async () => {
  const {
    clock,
    troubles: problems,
    readiness,
    asked,
    changes,
  } = watching(async (count) => (count < 3 ? MISSING : READY));
  readiness.get(CHOICE);
  await clock.advance(1);
  expect(readiness.get(CHOICE)).toEqual({
    problem: 'claude is not on the PATH. Install it.',
    next: 'Install it.',
  });
  expect(problems.list()).toMatchObject([{ code: 'agent.not_ready' }]);
  await clock.advance(15_000);
  await clock.advance(15_000);
  expect(readiness.get(CHOICE)).toBe('ready');
  expect(problems.list()).toEqual([]);
  expect([asked(), changes()]).toEqual([3, 2]);
  await readiness.close();
});

test('does not wait for an agent that never responds', async () => {
  const { clock, readiness } = watching(
    (_, signal) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
      ),
  );
  readiness.get(CHOICE);
  await clock.advance(30_000);
  expect(readiness.get(CHOICE)).toBe('ready');
  await readiness.close();
});

const LOGGED_OUT: PreflightResult = { ready: false, problem: 'not logged in', next: 'Log in.' };
const REFUSED = { problem: 'Its login was refused (401). Log in.', next: 'Log in.' };

test('blocks an agent whose login was refused, and unblocks the agent at the next check that finds a login', async () => {
  let login: PreflightResult = LOGGED_OUT;
  const {
    clock,
    troubles: problems,
    readiness,
    changes,
  } = watching(async (count) => (count === 1 ? READY : login));
  readiness.get(CHOICE);
  await clock.advance(1);
  const before = changes();
  readiness.refuse(CHOICE, '401', 'Log in.');
  expect(readiness.get(CHOICE)).toEqual(REFUSED);
  expect(changes()).toBe(before + 1);
  expect(problems.list()).toMatchObject([{ code: 'agent.not_ready' }]);
  await clock.advance(1);
  expect(readiness.get(CHOICE)).toMatchObject({ problem: 'not logged in. Log in.' });
  login = READY;
  await clock.advance(15_000);
  expect(readiness.get(CHOICE)).toBe('ready');
  expect(problems.list()).toEqual([]);
  await readiness.close();
});

test('if a login is refused although it looks valid, retries after one minute, then two, and counts each refusal once', async () => {
  const { clock, readiness } = watching(async () => READY);
  readiness.get(CHOICE);
  await clock.advance(1);
  const isHeld = () => typeof readiness.get(CHOICE) === 'object';
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
