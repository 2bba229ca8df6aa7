/** A real agent in its test setup: its session, and functions to start and continue it. */
import type { Agent, LaunchOptions, LaunchSpec } from '../../src/ports/agent.ts';
import { type AgentTestStage, KEY_VARIABLE } from './agent-legion.ts';

export const SESSION = '924320b3-c96b-510f-b8c4-43e1040229e8';

export interface AgentStage extends AgentTestStage {
  readonly agent: Agent;
  start(prompt: string): LaunchOptions;
  launch(prompt: string): LaunchSpec;
  resume(prompt: string): LaunchSpec;
}

export function createAgentStage(stage: AgentTestStage, agent: Agent, modelName: string): AgentStage {
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
