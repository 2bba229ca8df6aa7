/** Claude Code on its stage. */
import { claudeCodeAgent } from '../../../src/agents/claude-code/claude-code-agent.ts';
import { anthropic } from '../../model/anthropic.ts';
import { LAUNCHER, programOf, useStage } from '../agent-legion.ts';
import { type Cast, castOn } from '../agent-stage.ts';

export function useClaude(): () => Cast {
  const stage = useStage([anthropic]);
  return () => {
    const { home, env } = stage();
    const place = { launcher: LAUNCHER, home, program: programOf('claude'), environment: env() };
    return castOn(stage(), claudeCodeAgent(place), 'claude-sonnet-4-5');
  };
}
