/** An agent whose worker is `legion drive`, which holds the real program's session through its turns. */
import { join } from 'node:path';
import type { SessionId } from '../core/model/ids.ts';
import type { Agent, Launch, Start } from '../ports/agent.ts';
import { readLine } from './agent-lines.ts';
import { recordTime } from './runner/session-record.ts';

export interface DrivenAgentOptions extends Pick<Agent, 'kind' | 'variables' | 'preflight' | 'loginHelp'> {
  /** The command that starts legion, such as `[process.execPath, '/…/bin/legion.js']`. */
  readonly launcher: readonly [string, ...string[]];
  /** Where the records of its sessions are kept. */
  readonly home: string;
  /** The agent's own program, by name or path. */
  readonly program: string;
}

export function drivenAgent(options: DrivenAgentOptions): Agent {
  const { kind, variables, preflight, loginHelp, launcher, home, program } = options;

  function describe(session: SessionId, start: Start, how: readonly string[]): Launch {
    const { model, endpoint, prompt } = start;
    const flags = [
      ...['--session', session, '--home', home, '--program', program, ...how],
      ...(model === undefined ? [] : ['--model', model]),
      ...(endpoint === undefined ? [] : ['--url', endpoint.url]),
      ...(endpoint?.keyVariable === undefined ? [] : ['--key-variable', endpoint.keyVariable]),
    ];
    return {
      argv: [...launcher, 'drive', kind, ...flags],
      env: { NODE_COMPILE_CACHE: join(home, 'compiled') },
      stdin: prompt,
    };
  }

  return {
    kind,
    variables,
    hearsLetters: true,
    loginHelp,
    preflight,
    launch: (session, start) => describe(session, start, []),
    resume: (session, native, start) =>
      describe(session, start, ['--resume', ...(native === undefined ? [] : ['--native', native])]),
    read: readLine,
    session: (session) => recordTime(home, session),
  };
}
