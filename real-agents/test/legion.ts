/** A whole legion whose workers are a real agent, with a scripted model behind it. */
import { delimiter, join } from 'node:path';
import { afterEach } from 'vitest';
import { type Life, type LifeOptions, stage } from '../../test/e2e/support/legion.ts';
import type { Mind } from '../model/mind.ts';
import { scenarioMind } from '../model/scenario-mind.ts';
import { type ModelServer, startModel } from '../model/server.ts';
import { WIRES } from '../model/wires.ts';

export type RealAgent = 'claude-code' | 'opencode' | 'codex';

/** One of each, with a model name its program takes for its own. */
export const REAL_AGENTS: readonly (readonly [RealAgent, string])[] = [
  ['claude-code', 'claude-sonnet-4-5'],
  ['opencode', 'm1'],
  ['codex', 'gpt-5'],
];

/** What no worker may ever see. */
export const CANARY = { name: 'DAEMON_CANARY_TOKEN', value: 'a-secret-of-the-daemon' } as const;

export interface RealLife extends Life {
  readonly model: ModelServer;
}

const PROGRAMS = join(import.meta.dirname, '../node_modules/.bin');

export interface RealOptions extends Omit<LifeOptions, 'environment'> {
  readonly mind?: Mind;
  /** As YAML: who takes the agent's place. */
  readonly fallback?: string;
}

export function realStage(): (agent: RealAgent, options?: RealOptions) => Promise<RealLife> {
  // A real agent takes seconds to start, and several at once on a small machine many times that.
  const begin = stage(3);
  const models: ModelServer[] = [];
  afterEach(async () => {
    for (const model of models.splice(0)) await model.close();
  });
  return async (agent, { mind = scenarioMind(), yaml = '', fallback, ...options } = {}) => {
    const model = await startModel(WIRES, mind);
    models.push(model);
    const { PATH } = process.env;
    const [, name] = REAL_AGENTS.find(([kind]) => kind === agent) ?? [agent, ''];
    const use = `{ agent: ${agent}, model: ${name}, url: '${model.url}', key_variable: SCRIPTED_MODEL_KEY${fallback === undefined ? '' : `, fallback: ${fallback}`} }`;
    const life = await begin({
      ...options,
      yaml: `agents: { default: ${use} }\n${yaml}`,
      environment: {
        PATH: [PROGRAMS, PATH].join(delimiter),
        SCRIPTED_MODEL_KEY: 'a-key-of-no-worth',
        [CANARY.name]: CANARY.value,
      },
    });
    return Object.assign(Object.create(life, {}) as RealLife, { model });
  };
}
