import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Agent } from '../../../src/agents/agent.ts';
import { scriptedAgent } from '../../../src/agents/scripted/scripted-agent.ts';
import { agentsReady } from '../../../src/daemon/supervise/agents-ready.ts';
import type { Mode } from '../../../src/domain/mode.ts';
import { VirtualClock } from '../virtual-clock.ts';

let folder: string;
let agent: Agent;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'legion-ready-'));
  agent = scriptedAgent({ launcher: ['legion'], home: join(folder, 'home'), base: folder });
  writeFileSync(join(folder, 'good.yaml'), 'rules: [{ steps: [{ done: it }] }]\n');
  writeFileSync(join(folder, 'bad.yaml'), 'rules: [{ steps: [{ fly: true }] }]\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function ready(use: (mode: Mode) => { agent: Agent; model?: string }, clock = new VirtualClock()) {
  return agentsReady({ agentFor: use, clock });
}

test('all agents in use are ready, or one of them is not', async () => {
  const model = (name: string) => join(folder, name);
  expect(await ready(() => ({ agent }))).toBe('ok');
  expect(await ready(() => ({ agent, model: model('good.yaml') }))).toBe('ok');
  expect(await ready((mode) => ({ agent, model: model(mode === 'merge' ? 'bad.yaml' : 'good.yaml') }))).toBe(
    'bad',
  );
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
  const answer = ready(() => ({ agent: silent }), clock);
  await clock.advance(30_000);
  expect(await answer).toBe('unavailable');
});
