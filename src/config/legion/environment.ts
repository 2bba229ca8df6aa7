/** What variables of the environment mean for the configuration. */
import type { Environment } from '../../domain/environment.ts';
import type { Given } from './given.ts';

const VARIABLES = [
  ['LEGION_ID', 'legion'],
  ['LEGION_SHORT_ID', 'short_id'],
  ['LEGION_ISSUE_BACKEND', 'backend'],
  ['LEGION_DAEMON_PORT', 'port'],
  ['LEGION_AUTO_ADVANCE', 'auto_advance'],
  ['LEGION_WIP_LIMIT', 'limits.workers'],
  ['LEGION_EXTRA_PROJECTS', 'extra_projects'],
] as const;

/** An empty variable counts as none, as shells have no better way to take one back. */
export function givenByEnvironment(
  environment: Environment,
  elsewhere: { readonly legion: boolean; readonly backend: unknown },
): readonly Given[] {
  const given = VARIABLES.flatMap(([name, key]) => {
    const text = textOf(environment, name);
    return text === undefined ? [] : [{ key, name, text }];
  });
  return [...given, ...linearTeam(environment, elsewhere)];
}

/**
 * `LINEAR_TEAM_ID` is older than `LEGION_ID` and set on many machines for other tools: it names the legion only where nothing
 * else does, and only for Linear, which it implies where nobody names a backend either.
 */
function linearTeam(
  environment: Environment,
  elsewhere: { readonly legion: boolean; readonly backend: unknown },
): readonly Given[] {
  const name = 'LINEAR_TEAM_ID';
  const team = textOf(environment, name);
  if (team === undefined || elsewhere.legion || textOf(environment, 'LEGION_ID') !== undefined) return [];
  const backend = elsewhere.backend ?? textOf(environment, 'LEGION_ISSUE_BACKEND');
  if (backend !== undefined && backend !== 'linear') return [];
  const legion: Given = { key: 'legion', name, text: team };
  return backend === undefined ? [legion, { key: 'backend', name, text: 'linear' }] : [legion];
}

function textOf(environment: Environment, name: string): string | undefined {
  const text = Object.hasOwn(environment, name) ? environment[name]?.trim() : undefined;
  return text === '' ? undefined : text;
}
