/** Test setup for Claude Code. */
import { createClaudeCodeAgent } from '../../../src/agents/claude-code/claude-code-agent.ts';
import { anthropic } from '../../model/anthropic.ts';
import { LAUNCHER, resolveProgram, useStage } from '../agent-legion.ts';
import { type AgentStage, createAgentStage } from '../agent-stage.ts';

export function useClaude(): () => AgentStage {
  const stage = useStage([anthropic]);
  return () => {
    const { home, env } = stage();
    const place = { launcher: LAUNCHER, home, program: resolveProgram('claude'), environment: env() };
    return createAgentStage(stage(), createClaudeCodeAgent(place), 'claude-sonnet-4-5');
  };
}
