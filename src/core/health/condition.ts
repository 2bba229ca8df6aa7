/**
 * Classifies what an attempt is doing according to the evidence. Each condition has its own limits.
 */
import { hasEnded } from '../model/lifecycle.ts';
import type { HealthEvidence, ProcessEvidence } from './evidence.ts';

/** `unclear`: the agent may be thinking or running a tool, so the longer limit applies. */
export type AttemptCondition =
  | 'not_started'
  | 'thinking'
  | 'in_tool'
  | 'idle'
  | 'unclear'
  | 'gone'
  | 'reporting'
  | 'waiting_user'
  | 'waiting_quota'
  | 'ended';

export function judgeCondition(evidence: HealthEvidence): AttemptCondition {
  const { state, stateSince, process } = evidence;
  if (hasEnded(state)) return 'ended';
  if (state === 'reporting') return 'reporting';
  if (state === 'waiting-user') return 'waiting_user';
  if (state === 'waiting-quota') return 'waiting_quota';
  if (process !== 'unavailable' && process.state === 'never_seen') return 'not_started';
  // A process that ended before the attempt was last woken is the previous one. The new process has
  // not started yet.
  if (process !== 'unavailable' && process.state === 'gone' && process.since < stateSince)
    return 'not_started';
  return judgePresence(process) === 'no' ? 'gone' : judgeActivity(evidence);
}

/**
 * Returns `no` if the pid has another start time, because our process is then gone. A process whose
 * start time could not be checked may be ours.
 */
export function judgePresence(process: ProcessEvidence): 'yes' | 'no' | 'unavailable' {
  if (process === 'unavailable') return 'unavailable';
  if (process.state !== 'alive') return 'no';
  if (process.identity === 'unchecked') return 'unavailable';
  return process.identity === 'matches' ? 'yes' : 'no';
}

function judgeActivity({ agent, tool, state, stateSince }: HealthEvidence): AttemptCondition {
  // A running tool outranks the end of a turn: some agents end the turn while the tool runs in the
  // background.
  if (typeof tool === 'object') return 'in_tool';
  if (agent === 'unavailable') return 'unclear';
  switch (agent.kind) {
    case 'none':
      return state === 'spawned' ? 'not_started' : 'unclear';
    case 'tool_started':
      return 'in_tool';
    case 'turn_ended':
      // A turn that ended before the attempt was woken says nothing about the current turn.
      return agent.at < stateSince ? 'thinking' : 'idle';
    case 'text':
    case 'tool_ended':
    case 'usage':
    case 'error':
      return tool === 'unavailable' ? 'unclear' : 'thinking';
  }
}

type PresenceCheck = 'yes' | 'no' | 'unavailable';
type SessionFreshness = 'missing' | 'fresh' | 'stale' | 'unavailable';

/**
 * - `never_started`: nothing exists yet. Legion dispatches the attempt.
 * - `misplaced`: a worker is running without a workspace. Legion stops and reports it.
 * - `died_early`: the worker exited before it wrote anything. Legion counts a crash and respawns
 *   it.
 * - `exited`: the worker exited or was killed. Legion judges it by its report, then by the other
 *   evidence.
 * - `just_started`: Legion waits.
 * - `running`: Legion leaves the worker alone.
 * - `stale`: the attempt is suspicious.
 * - `impossible`: Legion reports corruption.
 * - `open`: undecided, because a decisive fact is unreadable.
 */
export type LocalSituation =
  | 'never_started'
  | 'misplaced'
  | 'died_early'
  | 'exited'
  | 'just_started'
  | 'running'
  | 'stale'
  | 'impossible'
  | 'open';

/**
 * Derives one situation from the workspace, the process and the session file. If a fact is
 * unreadable, tries each of its possible values, and returns `open` if the situation depends on it.
 */
export function resolveLocalSituation(
  workspace: PresenceCheck,
  process: PresenceCheck,
  session: SessionFreshness,
): LocalSituation {
  const meanings = new Set<LocalSituation>();
  for (const w of workspace === 'unavailable' ? YES_OR_NO : [workspace]) {
    for (const p of process === 'unavailable' ? YES_OR_NO : [process]) {
      for (const s of session === 'unavailable' ? SESSION_STATES : [session])
        meanings.add(toLocalSituation(w, p, s));
    }
  }
  const [only] = meanings;
  if (only !== undefined && meanings.size === 1) return only;
  // `died_early` and `exited` both mean that the attempt had a workspace and its process is gone.
  // Whether it wrote a session makes no difference here.
  return [...meanings].every((meaning) => meaning === 'died_early' || meaning === 'exited')
    ? 'exited'
    : 'open';
}

const YES_OR_NO = ['yes', 'no'] as const;
const SESSION_STATES = ['missing', 'fresh', 'stale'] as const;

function toLocalSituation(
  workspace: 'yes' | 'no',
  process: 'yes' | 'no',
  session: 'missing' | 'fresh' | 'stale',
): LocalSituation {
  if (workspace === 'no') {
    if (process === 'yes') return 'misplaced';
    return session === 'missing' ? 'never_started' : 'impossible';
  }
  if (process === 'no') return session === 'missing' ? 'died_early' : 'exited';
  if (session === 'missing') return 'just_started';
  return session === 'fresh' ? 'running' : 'stale';
}
