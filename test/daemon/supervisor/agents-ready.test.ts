import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScriptedAgent } from '../../../src/agents/scripted/scripted-agent.ts';
import type { Mode } from '../../../src/core/model/mode.ts';
import { checkAgentsReady } from '../../../src/daemon/supervisor/breaker.ts';
import type { Agent } from '../../../src/ports/agent.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

let folder: string;
let agent: Agent;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'legion-ready-'));
  agent = createScriptedAgent({ launcher: ['legion'], home: join(folder, 'home'), base: folder });
  writeFileSync(join(folder, 'good.yaml'), 'rules: [{ steps: [{ done: it }] }]\n');
  writeFileSync(join(folder, 'bad.yaml'), 'rules: [{ steps: [{ fly: true }] }]\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Models = (mode: Mode) => readonly [string | undefined, ...string[]];

function ready(models: Models, clock = new VirtualClock(), worker = agent) {
  return checkAgentsReady({
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

test('returns ok if all configured agents are ready, and bad if one is not', async () => {
  const model = (name: string) => join(folder, name);
  expect(await ready(() => [undefined])).toBe('ok');
  expect(await ready(() => [model('good.yaml')])).toBe('ok');
  expect(await ready((mode) => [model(mode === 'merge' ? 'bad.yaml' : 'good.yaml')])).toBe('bad');
});

test('returns ok if a fallback replaces an agent that is not ready', async () => {
  const model = (name: string) => join(folder, name);
  expect(await ready(() => [model('bad.yaml'), model('good.yaml')])).toBe('ok');
  expect(await ready(() => [model('bad.yaml'), model('bad.yaml')])).toBe('bad');
});

test('returns unavailable without waiting for an agent that does not respond', async () => {
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
