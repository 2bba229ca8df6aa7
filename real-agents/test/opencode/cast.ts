/** OpenCode on its stage: the agent, its session, and the ways to begin it and to go on with it. */
import { globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Agent, Launch, Start } from '../../../src/agents/agent.ts';
import { opencodeAgent } from '../../../src/agents/opencode/opencode-agent.ts';
import { chat } from '../../model/chat.ts';
import { KEY_VARIABLE, LAUNCHER, programOf, type Stage, useStage } from '../stage.ts';

export const SESSION = '924320b3-c96b-510f-b8c4-43e1040229e8';

export interface Cast extends Stage {
  readonly agent: Agent;
  start(prompt: string): Start;
  launch(prompt: string): Launch;
  resume(prompt: string): Launch;
}

const PROGRAMS = join(import.meta.dirname, '../../node_modules');
/** OpenCode looks files up with ripgrep, which it would download; another agent of this package brings one along. */
const [RIPGREP = ''] = globSync('@openai/codex-*/vendor/*/codex-path', { cwd: PROGRAMS });

export function useOpencode(): () => Cast {
  const stage = useStage([chat]);
  return () => {
    const { home, workspace, model, env, begin, play } = stage();
    const { PATH = '' } = env();
    const found = { PATH: [PATH, join(PROGRAMS, RIPGREP)].join(delimiter) };
    const agent = opencodeAgent({
      ...{ launcher: LAUNCHER, home, program: programOf('opencode') },
      environment: env(),
    });
    const endpoint = { url: model.url, keyVariable: KEY_VARIABLE };
    const start = (prompt: string) => ({ prompt, workspace, model: 'stub-1', endpoint });
    return {
      ...stage(),
      begin: (launch, more) => begin(launch, { ...found, ...more }),
      play: (launch, more) => play(launch, { ...found, ...more }),
      agent,
      start,
      launch: (prompt) => agent.launch(SESSION, start(prompt)),
      resume: (prompt) => agent.resume(SESSION, undefined, start(prompt)),
    };
  };
}
