/** Claude Code on its stage. */
import { claudeCodeAgent } from '../../../src/agents/claude-code/claude-code-agent.ts';
import { anthropic } from '../../model/anthropic.ts';
import { type Cast, castOn } from '../cast.ts';
import { LAUNCHER, programOf, useStage } from '../stage.ts';

export function useClaude(): () => Cast {
  const stage = useStage([anthropic]);
  return () => {
    const { home, env } = stage();
    const place = { launcher: LAUNCHER, home, program: programOf('claude'), environment: env() };
    return castOn(stage(), claudeCodeAgent(place), 'claude-sonnet-4-5');
  };
}
