/** Claude Code as an agent of Legion: a driver that takes each turn with one process of `claude`. */

import type { Environment } from '../../domain/environment.ts';
import type { Agent } from '../../ports/agent.ts';
import { type DrivenAgentOptions, drivenAgent } from '../driven-agent.ts';
import { LOGIN_VARIABLES } from './environment.ts';
import { LOGIN_HELP, preflight } from './preflight.ts';

export interface ClaudeCodeOptions extends Pick<DrivenAgentOptions, 'launcher' | 'home' | 'program'> {
  /** Where its program and its login are looked for before anybody works with it. */
  readonly environment: Environment;
}

export function claudeCodeAgent({ environment, ...options }: ClaudeCodeOptions): Agent {
  return drivenAgent({
    ...options,
    kind: 'claude-code',
    variables: LOGIN_VARIABLES,
    loginHelp: LOGIN_HELP,
    preflight: (signal, use) => preflight({ program: options.program, environment }, use, signal),
  });
}
