/** A real agent on its stage: its session, and the ways to begin it and to go on with it. */
import type { Agent, Launch, Start } from '../../src/ports/agent.ts';
import { KEY_VARIABLE, type Stage } from './agent-legion.ts';

export const SESSION = '924320b3-c96b-510f-b8c4-43e1040229e8';

export interface Cast extends Stage {
  readonly agent: Agent;
  start(prompt: string): Start;
  launch(prompt: string): Launch;
  resume(prompt: string): Launch;
}

export function castOn(stage: Stage, agent: Agent, modelName: string): Cast {
  const { workspace, model } = stage;
  const endpoint = { url: model.url, keyVariable: KEY_VARIABLE };
  const start = (prompt: string) => ({ prompt, workspace, model: modelName, endpoint });
  return {
    ...stage,
    agent,
    start,
    launch: (prompt) => agent.launch(SESSION, start(prompt)),
    resume: (prompt) => agent.resume(SESSION, undefined, start(prompt)),
  };
}
