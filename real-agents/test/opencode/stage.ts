/** Test setup for OpenCode. */
import { globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createOpencodeAgent } from '../../../src/agents/opencode/opencode-agent.ts';
import { chat } from '../../model/chat.ts';
import { LAUNCHER, resolveProgram, useStage } from '../agent-legion.ts';
import { type AgentStage, createAgentStage } from '../agent-stage.ts';

const PROGRAMS = join(import.meta.dirname, '../../node_modules');
/**
 * OpenCode needs ripgrep and would otherwise download it. The copy that comes with Codex is used
 * instead.
 */
const [RIPGREP = ''] = globSync('@openai/codex-*/vendor/*/codex-path', { cwd: PROGRAMS });

export function useOpencode(): () => AgentStage {
  const stage = useStage([chat]);
  return () => {
    const { home, env, begin, play } = stage();
    const { PATH = '' } = env();
    const found = { PATH: [PATH, join(PROGRAMS, RIPGREP)].join(delimiter) };
    const place = { launcher: LAUNCHER, home, program: resolveProgram('opencode'), environment: env() };
    return {
      ...createAgentStage(stage(), createOpencodeAgent(place), 'stub-1'),
      begin: (launch, more) => begin(launch, { ...found, ...more }),
      play: (launch, more) => play(launch, { ...found, ...more }),
    };
  };
}
