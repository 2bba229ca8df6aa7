/** The scripted agent: a real process that plays a scenario instead of asking a model. */
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import type { SessionId } from '../../core/model/ids.ts';
import type { Agent, Launch, Preflight, SessionTrace, Start } from '../../ports/agent.ts';
import { readLine } from '../agent-lines.ts';
import { loadScenario } from './scenario/load-scenario.ts';
import { sessionFile } from './session-file.ts';

export interface ScriptedAgentOptions {
  /** The command that starts legion, such as `[process.execPath, '/…/bin/legion.js']`. */
  readonly launcher: readonly [string, ...string[]];
  /** Where its sessions are kept. */
  readonly home: string;
  /** Played where `Start.model` names none; without either the built-in one of the phase is. */
  readonly scenario?: string | undefined;
  /** What relative paths of scenarios start from, such as the folder of `legion.yaml`; `home` where it is absent. */
  readonly base?: string | undefined;
}

export function scriptedAgent({ launcher, home, scenario, base = home }: ScriptedAgentOptions): Agent {
  const scenarioFor = (model: string | undefined) => {
    const named = model ?? scenario;
    return named === undefined ? undefined : resolve(base, named);
  };
  return {
    kind: 'scripted',
    variables: [],
    hearsLetters: false,
    preflight: (_signal, { model }) => preflight(scenarioFor(model)),
    launch: (session, start) => describe(session, start, []),
    resume: (session, _native, start) => describe(session, start, ['--resume']),
    read: readLine,
    session: (session) => traceOf(sessionFile(home, session)),
  };

  function describe(session: SessionId, { prompt, model }: Start, how: readonly string[]): Launch {
    const played = scenarioFor(model);
    const options = ['--session', session, ...how, '--home', home];
    return {
      argv: [...launcher, 'scripted', ...options, ...(played === undefined ? [] : ['--scenario', played])],
      // Half of what a short turn would take is the loading of modules; the player hides this from what it starts.
      env: { NODE_COMPILE_CACHE: join(home, 'compiled') },
      stdin: prompt,
    };
  }
}

async function preflight(scenario: string | undefined): Promise<Preflight> {
  if (scenario === undefined) return { ready: true, version: 'the built-in scenario' };
  try {
    const { rules } = await loadScenario(scenario);
    return { ready: true, version: `${scenario}, ${rules.length} rules` };
  } catch (error) {
    if (!(error instanceof LegionError)) throw error;
    return { ready: false, problem: `${error.message} [${error.code}]`, next: error.fault.next };
  }
}

/** What cannot be looked at is not missing. */
async function traceOf(file: string): Promise<SessionTrace> {
  try {
    return { at: (await stat(file)).mtimeMs };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'unavailable';
  }
}
