/** The real agent a demo is to be played with, from its options. */
import type { DemoAgent } from '../../../demo/configuration.ts';
import { LegionError } from '../../../domain/fault.ts';
import { shown } from '../../../domain/shown.ts';

const REAL_AGENTS: readonly string[] = ['claude-code', 'opencode', 'codex'];

export type AgentOptions = {
  readonly agent?: string;
  readonly model?: string;
  readonly modelUrl?: string;
  readonly keyVariable?: string;
};

/** `isKeyLinears`: the variable holds no key for a model, and none must reach one. */
export function agentGiven(
  { agent, model, ...options }: AgentOptions,
  isKeyLinears: boolean,
): DemoAgent | undefined {
  const { modelUrl: url } = options;
  const keyVariable = isKeyLinears ? undefined : options.keyVariable;
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
