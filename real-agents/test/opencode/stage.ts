/** OpenCode on its stage. */
import { globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { opencodeAgent } from '../../../src/agents/opencode/opencode-agent.ts';
import { chat } from '../../model/chat.ts';
import { LAUNCHER, programOf, useStage } from '../agent-legion.ts';
import { type Cast, castOn } from '../agent-stage.ts';

const PROGRAMS = join(import.meta.dirname, '../../node_modules');
/** OpenCode looks files up with ripgrep, which it would download; another agent of this package brings one along. */
const [RIPGREP = ''] = globSync('@openai/codex-*/vendor/*/codex-path', { cwd: PROGRAMS });

export function useOpencode(): () => Cast {
  const stage = useStage([chat]);
  return () => {
    const { home, env, begin, play } = stage();
    const { PATH = '' } = env();
    const found = { PATH: [PATH, join(PROGRAMS, RIPGREP)].join(delimiter) };
    const place = { launcher: LAUNCHER, home, program: programOf('opencode'), environment: env() };
    return {
      ...castOn(stage(), opencodeAgent(place), 'stub-1'),
      begin: (launch, more) => begin(launch, { ...found, ...more }),
      play: (launch, more) => play(launch, { ...found, ...more }),
    };
  };
}
