/** OpenCode as one of Legion's agents. */

import type { Environment } from '../../domain/environment.ts';
import type { Agent } from '../../ports/agent.ts';
import { type DrivenAgentOptions, drivenAgent } from '../driven-agent.ts';
import { LOGIN_HELP, preflightOf } from './preflight.ts';

/**
 * Keys that OpenCode finds by itself, each the whole login of one provider. Not among them: tokens that open more than a model, such as
 * `GITHUB_TOKEN`. Another provider's is handed on with `credentials.worker_env`.
 */
const VARIABLES: readonly string[] = [
  ...['OPENCODE_API_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY', 'GROQ_API_KEY'],
  ...['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'XAI_API_KEY', 'MISTRAL_API_KEY'],
  ...['DEEPSEEK_API_KEY', 'CEREBRAS_API_KEY', 'FIREWORKS_API_KEY', 'DEEPINFRA_API_KEY', 'COHERE_API_KEY'],
];

export interface OpencodeAgentOptions extends Pick<DrivenAgentOptions, 'launcher' | 'home' | 'program'> {
  /** Of the daemon: where the program and its login are looked for. */
  readonly environment: Environment;
}

export function opencodeAgent({ environment, ...options }: OpencodeAgentOptions): Agent {
  return drivenAgent({
    ...options,
    kind: 'opencode',
    variables: VARIABLES,
    loginHelp: LOGIN_HELP,
    preflight: preflightOf(options.program, environment),
  });
}
