import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scriptedAgent } from '../../../src/agents/scripted/scripted-agent.ts';
import { agentsReady } from '../../../src/daemon/supervise/agents-ready.ts';
import type { Mode } from '../../../src/domain/mode.ts';
import type { Agent } from '../../../src/ports/agent.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

let folder: string;
let agent: Agent;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'legion-ready-'));
  agent = scriptedAgent({ launcher: ['legion'], home: join(folder, 'home'), base: folder });
  writeFileSync(join(folder, 'good.yaml'), 'rules: [{ steps: [{ done: it }] }]\n');
  writeFileSync(join(folder, 'bad.yaml'), 'rules: [{ steps: [{ fly: true }] }]\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Models = (mode: Mode) => readonly [string | undefined, ...string[]];

function ready(models: Models, clock = new VirtualClock(), worker = agent) {
  return agentsReady({
    clock,
    agents: {
      choicesFor: (mode) => {
        const [first, ...others] = models(mode).map((model) => ({ agent: 'scripted', model }));
        return [first ?? { agent: 'scripted' }, ...others];
      },
      readinessOf: () => 'ready',
    },
    agentOf: ({ model }) => ({ agent: worker, use: { model } }),
  });
}

test('all agents in use are ready, or one of them is not', async () => {
  const model = (name: string) => join(folder, name);
  expect(await ready(() => [undefined])).toBe('ok');
  expect(await ready(() => [model('good.yaml')])).toBe('ok');
  expect(await ready((mode) => [model(mode === 'merge' ? 'bad.yaml' : 'good.yaml')])).toBe('bad');
});

test('one that is not ready does no harm where another takes its place', async () => {
  const model = (name: string) => join(folder, name);
  expect(await ready(() => [model('bad.yaml'), model('good.yaml')])).toBe('ok');
  expect(await ready(() => [model('bad.yaml'), model('bad.yaml')])).toBe('bad');
});

test('an agent that does not answer tells nothing, and is not waited for', async () => {
  const clock = new VirtualClock();
  const silent: Agent = {
    ...agent,
    preflight: (signal) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
      ),
  };
  const answer = ready(() => [undefined], clock, silent);
  await clock.advance(30_000);
  expect(await answer).toBe('unavailable');
});
