/** The real agent a demo is to be played with, from its options. */
import type { DemoAgent } from '../../../demo/configuration.ts';
import { LegionError } from '../../../domain/fault.ts';
import { shown } from '../../../domain/shown.ts';

const REAL_AGENTS: readonly string[] = ['claude-code', 'opencode', 'codex'];

export const AGENT_OPTIONS = {
  agent: {
    value: 'AGENT',
    says: 'claude-code, opencode or codex instead of the scripted agent; it must be logged in',
  },
  model: { value: 'MODEL', says: 'the model it is to use' },
  'model-url': {
    value: 'URL',
    says: 'where that model’s API is, such as a gateway or a model of your own',
  },
} as const;

type AgentOptions = { readonly [Name in keyof typeof AGENT_OPTIONS | 'key-variable']?: string | undefined };

/** `isKeyLinears`: the variable holds no key for a model, and none must reach one. */
export function agentGiven(
  { agent, model, ...options }: AgentOptions,
  isKeyLinears: boolean,
): DemoAgent | undefined {
  const { 'model-url': url } = options;
  const keyVariable = isKeyLinears ? undefined : options['key-variable'];
  if (agent === undefined) {
    if ([model, url, keyVariable].some((given) => given !== undefined))
      throw new LegionError(
        'usage.invalid',
        '--model and --model-url need --agent; --key-variable needs it, or --linear-url',
      );
    return undefined;
  }
  if (!REAL_AGENTS.includes(agent))
    throw new LegionError('usage.invalid', `--agent takes ${REAL_AGENTS.join(', ')}, got ${shown(agent)}`);
  return { agent, model, url, keyVariable };
}
