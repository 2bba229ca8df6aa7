/** The agent `codex`: a worker's process drives `codex exec`, one process of it a turn. */

import type { Environment } from '../../domain/environment.ts';
import type { Agent } from '../agent.ts';
import { type DrivenAgentOptions, drivenAgent } from '../driven-agent.ts';
import { codexPreflight, LOGIN_HELP } from './preflight.ts';

export interface CodexAgentOptions extends Pick<DrivenAgentOptions, 'launcher' | 'home' | 'program'> {
  /** The daemon's: where the program is looked for, and the login. */
  readonly environment: Environment;
}

export function codexAgent({ launcher, home, program, environment }: CodexAgentOptions): Agent {
  return drivenAgent({
    kind: 'codex',
    // Where its login is kept, or a key instead of one; `exec` does not look at OPENAI_API_KEY.
    variables: ['CODEX_HOME', 'CODEX_API_KEY'],
    loginHelp: LOGIN_HELP,
    ...{ launcher, home, program },
    preflight: (signal, use) => codexPreflight(program, environment, use, signal),
  });
}
