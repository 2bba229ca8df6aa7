/** Claude Code on its stage: the agent, its session, and the ways to begin it and to go on with it. */
import type { Agent, Launch, Start } from '../../../src/agents/agent.ts';
import { claudeCodeAgent } from '../../../src/agents/claude-code/claude-code-agent.ts';
import { anthropic } from '../../model/anthropic.ts';
import { KEY_VARIABLE, LAUNCHER, programOf, type Stage, useStage } from '../stage.ts';

export const SESSION = '924320b3-c96b-510f-b8c4-43e1040229e8';

export interface Cast extends Stage {
  readonly agent: Agent;
  start(prompt: string): Start;
  launch(prompt: string): Launch;
  resume(prompt: string): Launch;
}

export function useClaude(): () => Cast {
  const stage = useStage([anthropic]);
  return () => {
    const { home, workspace, model, env } = stage();
    const agent = claudeCodeAgent({
      ...{ launcher: LAUNCHER, home, program: programOf('claude') },
      environment: env(),
    });
    const endpoint = { url: model.url, keyVariable: KEY_VARIABLE };
    const start = (prompt: string) => ({ prompt, workspace, model: 'claude-sonnet-4-5', endpoint });
    return {
      ...stage(),
      agent,
      start,
      launch: (prompt) => agent.launch(SESSION, start(prompt)),
      resume: (prompt) => agent.resume(SESSION, undefined, start(prompt)),
    };
  };
}
