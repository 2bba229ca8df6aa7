import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { workerTokens } from '../../../src/daemon/worker-tokens.ts';
import type { Event, EventOf } from '../../../src/domain/event.ts';
import { openDoor } from '../door.ts';
import { stage } from './stage.ts';

const begin = stage();

/** Impatient, so that a worker that hangs is found out within seconds; everything else is as in production. */
const IMPATIENT = `limits: { respawns: 1, per_mode: { implement: 0 } }
health: { grace: 0s, thinking: 1s, probe_silence: 1s, after_step: 1s, heartbeat: 1s, backoff_first: 0.1s, kill_judged: 3s, cpu_sign: 10s }
`;

const of = <T extends Event['type']>(events: readonly Event[], type: T) =>
  events.filter((event): event is EventOf<T> => event.type === type);

const HANGS = [{ say: 'I look at it.' }, { hang: 'silent' }];

test('a kill is written down with its evidence, judged later, and counted', async () => {
  const life = await begin({ yaml: IMPATIENT, scenario: [{ attempt: 1, steps: HANGS }] });
  const id = await life.add({ status: 'Todo' });
  const events = await life.untilEvents('judged', (seen) => of(seen, 'kill.judged').length > 0);
  const [kill] = of(events, 'kill.performed');
  const [crash] = of(events, 'attempt.crashed');
  expect(kill).toMatchObject({ issue: id, mode: 'plan', attempt: 1, kill: 1, evidence: crash?.evidence });
  expect(kill?.evidence).toEqual(expect.arrayContaining(['ground=cpu', 'ground=session_file']));
  expect(kill?.flaggedAt).toBeLessThan(crash?.at ?? 0);
  expect(of(events, 'kill.judged')).toMatchObject([{ issue: id, kill: 1, right: true }]);
  const { url, token } = life.door;
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  const figures = await answer.text();
  expect(figures).toContain('legion_kills{verdict="right"} 1\n');
  expect(figures).toContain('legion_kill_rate{verdict="right"} 1\n');
  expect(figures).toContain('legion_kill_rate{verdict="wrong"} 0\n');
  await life.untilStatus(id, 'In Progress');
});

test('a report of the killed attempt that comes late shows that the kill was wrong', async () => {
  const life = await begin({
    yaml: IMPATIENT.replace('kill_judged: 3s', 'kill_judged: 1h'),
    scenario: [{ attempt: 1, steps: HANGS }],
  });
  const id = await life.add({ status: 'Todo' });
  await life.untilEvents('killed', (seen) => of(seen, 'kill.performed').length > 0);
  const secret = readFileSync(join(life.legion.state, 'worker-secret'), 'utf8').trim();
  const token = workerTokens(secret).tokenFor({ issue: id, mode: 'plan', attempt: 1 });
  const said = await openDoor(life.door.url, token).post('/worker/done', { summary: 'I was only slow' });
  expect(said).toMatchObject({ durable: true, accepted: false });
  const events = await life.untilEvents('judged', (seen) => of(seen, 'kill.judged').length > 0);
  expect(of(events, 'kill.judged')).toMatchObject([
    { right: false, why: 'The killed attempt left a report: it was alive.' },
  ]);
  await life.untilStatus(id, 'In Progress');
});
