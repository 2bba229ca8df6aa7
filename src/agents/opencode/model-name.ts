/** How OpenCode names a model: a provider and the provider's own name for it. */
import { LegionError } from '../../core/model/fault.ts';
import type { ModelUse } from '../../ports/agent.ts';

/** The provider that stands for `agents.<mode>.url`. */
export const OWN_PROVIDER = 'legion';

export interface ModelName {
  readonly providerID: string;
  readonly modelID: string;
}

/** Undefined: OpenCode's own default. Throws `agent.not_ready` for a name that can mean nothing. */
export function modelName({ model, endpoint }: ModelUse): ModelName | undefined {
  if (endpoint !== undefined) {
    if (model === undefined)
      throw new LegionError(
        'agent.not_ready',
        `opencode needs a model where it is given the address ${endpoint.url}`,
      );
    return { providerID: OWN_PROVIDER, modelID: model };
  }
  if (model === undefined) return undefined;
  // Only the first slash divides: gateways have models with slashes in their names.
  const slash = model.indexOf('/');
  if (slash <= 0 || slash === model.length - 1)
    throw new LegionError(
      'agent.not_ready',
      `opencode names a model provider/model, and ${model} is not of that form`,
    );
  return { providerID: model.slice(0, slash), modelID: model.slice(slash + 1) };
}
