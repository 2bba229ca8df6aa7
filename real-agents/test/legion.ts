/** A complete legion whose workers run a real agent with a scripted model. */
import { delimiter, join } from 'node:path';
import { afterEach } from 'vitest';
import { setUpDaemons, type TestDaemon, type TestDaemonOptions } from '../../test/e2e/support/legion.ts';
import type { ScriptedMind } from '../model/mind.ts';
import { createScenarioMind } from '../model/scenario-mind.ts';
import { type ModelServer, startModel } from '../model/server.ts';
import { WIRES } from '../model/wires.ts';

export type RealAgent = 'claude-code' | 'opencode' | 'codex';

/** Each real agent, with a model name that its program accepts. */
export const REAL_AGENTS: readonly (readonly [RealAgent, string])[] = [
  ['claude-code', 'claude-sonnet-4-5'],
  ['opencode', 'm1'],
  ['codex', 'gpt-5'],
];

/** A secret that no worker may see. */
export const CANARY = { name: 'DAEMON_CANARY_TOKEN', value: 'a-secret-of-the-daemon' } as const;

export interface RealLife extends TestDaemon {
  readonly model: ModelServer;
}

const PROGRAMS = join(import.meta.dirname, '../node_modules/.bin');

export interface RealOptions extends Omit<TestDaemonOptions, 'environment'> {
  readonly mind?: ScriptedMind;
  /** The fallback agent, as YAML. */
  readonly fallback?: string;
}

export function useRealStage(): (agent: RealAgent, options?: RealOptions) => Promise<RealLife> {
  // A real agent takes seconds to start. Several at once on a small machine take many times that.
  const startDaemon = setUpDaemons(3);
  const models: ModelServer[] = [];
  afterEach(async () => {
    for (const model of models.splice(0)) await model.close();
  });
  return async (agent, { mind = createScenarioMind(), yaml = '', fallback, ...options } = {}) => {
    const model = await startModel(WIRES, mind);
    models.push(model);
    const { PATH } = process.env;
    const [, name] = REAL_AGENTS.find(([kind]) => kind === agent) ?? [agent, ''];
    const use = `{ agent: ${agent}, model: ${name}, url: '${model.url}', key_variable: SCRIPTED_MODEL_KEY${fallback === undefined ? '' : `, fallback: ${fallback}`} }`;
    const daemon = await startDaemon({
      ...options,
      yaml: `agents: { default: ${use} }\n${yaml}`,
      environment: {
        PATH: [PROGRAMS, PATH].join(delimiter),
        SCRIPTED_MODEL_KEY: 'a-key-of-no-worth',
        [CANARY.name]: CANARY.value,
      },
    });
    return Object.assign(Object.create(daemon, {}) as RealLife, { model });
  };
}
