/** The scripted agent: a real process that plays a scenario instead of calling a model. */
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import type { SessionId } from '../../core/model/ids.ts';
import type { Agent, LaunchOptions, LaunchSpec, PreflightResult, SessionTrace } from '../../ports/agent.ts';
import { readLine } from '../agent-lines.ts';
import { loadScenario } from './scenario/load-scenario.ts';

export interface ScriptedAgentOptions {
  /** Command that starts legion, such as `[process.execPath, '/…/bin/legion.js']`. */
  readonly launcher: readonly [string, ...string[]];
  /** Directory of the agent's sessions. */
  readonly home: string;
  /**
   * Scenario to play if `LaunchOptions.model` does not specify one. Without either, the phase's
   * built-in scenario is played.
   */
  readonly scenario?: string | undefined;
  /**
   * Base of relative scenario paths, such as the directory of `legion.yaml`. Defaults to `home`.
   */
  readonly base?: string | undefined;
}

export function createScriptedAgent({ launcher, home, scenario, base = home }: ScriptedAgentOptions): Agent {
  const resolveScenario = (model: string | undefined) => {
    const named = model ?? scenario;
    return named === undefined ? undefined : resolve(base, named);
  };
  return {
    kind: 'scripted',
    variables: [],
    receivesMessages: false,
    preflight: (_signal, { model }) => runScriptedPreflight(resolveScenario(model)),
    launch: (session, start) => buildLaunchSpec(session, start, []),
    resume: (session, _native, start) => buildLaunchSpec(session, start, ['--resume']),
    read: readLine,
    session: (session) => readSessionTrace(resolveSessionFile(home, session)),
  };

  function buildLaunchSpec(
    session: SessionId,
    { prompt, model }: LaunchOptions,
    args: readonly string[],
  ): LaunchSpec {
    const path = resolveScenario(model);
    const options = ['--session', session, ...args, '--home', home];
    return {
      argv: [...launcher, 'scripted', ...options, ...(path === undefined ? [] : ['--scenario', path])],
      // Caches compiled modules, because loading them takes half of a short turn. The player hides
      // this variable from the processes it starts.
      env: { NODE_COMPILE_CACHE: join(home, 'compiled') },
      stdin: prompt,
    };
  }
}

async function runScriptedPreflight(scenario: string | undefined): Promise<PreflightResult> {
  if (scenario === undefined) return { ready: true, version: 'the built-in scenario' };
  try {
    const { rules } = await loadScenario(scenario);
    return { ready: true, version: `${scenario}, ${rules.length} rules` };
  } catch (error) {
    if (!(error instanceof LegionError)) throw error;
    return { ready: false, problem: `${error.message} [${error.code}]`, next: error.fault.next };
  }
}

/** An unreadable session file is not treated as missing. */
async function readSessionTrace(file: string): Promise<SessionTrace> {
  try {
    return { at: (await stat(file)).mtimeMs };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'unavailable';
  }
}

/** Returns the path of a session's file. */
export function resolveSessionFile(home: string, session: SessionId): string {
  return join(home, `${session}.jsonl`);
}
