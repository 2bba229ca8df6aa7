/** What a worker is given of the daemon's environment beyond what every process needs: by name, and nothing else. */
import { delimiter } from 'node:path';
import type { LegionConfig } from '../config/legion/schema.ts';
import type { Environment } from '../domain/environment.ts';
import type { Mode } from '../domain/mode.ts';
import type { Agent, ModelUse } from '../ports/agent.ts';

export interface Given {
  readonly environment: Environment;
  /** Where `legion` is found. */
  readonly bin: string;
  readonly config: LegionConfig;
}

/** The way to `legion`, an identity to commit under, what its agent logs in with, and what the operator allows. */
export function environmentFor(
  { environment, bin, config }: Given,
  mode: Mode,
  agent: Agent,
  { endpoint }: ModelUse,
): Readonly<Record<string, string>> {
  // With an address and a key of its own, an agent has no use for those of its provider.
  const own = endpoint?.keyVariable === undefined ? agent.variables : [endpoint.keyVariable];
  // Commits need an identity also on a machine where nobody has told git one.
  const name = `Legion ${mode}`;
  const email = 'legion@localhost';
  return {
    ...picked(environment, [...own, ...config.credentials.worker_env]),
    ...searchPath(environment, bin),
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}

/** `legion` comes first: what a worker calls by that name is the one that speaks to its daemon. */
export function searchPath({ PATH: inherited }: Environment, bin: string): { readonly PATH: string } {
  return { PATH: [bin, inherited].filter(Boolean).join(delimiter) };
}

function picked(environment: Environment, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
