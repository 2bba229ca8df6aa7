/** What workspace, process and session file mean together; what cannot be read is taken as both, and may leave it open. */

type Seen = 'yes' | 'no' | 'unavailable';
type SessionSeen = 'missing' | 'fresh' | 'stale' | 'unavailable';

/**
 * - `never_started` nothing is there → dispatch.
 * - `misplaced`     a worker without a workspace → stop it, report.
 * - `died_early`    died before it wrote anything → respawn, counts as a crash.
 * - `exited`        exited or was killed → judge by its report, then by the evidence.
 * - `just_started`  → wait.
 * - `running`       → leave alone.
 * - `stale`         → suspicious.
 * - `impossible`    → report as corruption.
 * - `open`          what could not be read would decide it.
 */
export type LocalMeaning =
  | 'never_started'
  | 'misplaced'
  | 'died_early'
  | 'exited'
  | 'just_started'
  | 'running'
  | 'stale'
  | 'impossible'
  | 'open';

export function localFacts(workspace: Seen, process: Seen, session: SessionSeen): LocalMeaning {
  const meanings = new Set<LocalMeaning>();
  for (const w of workspace === 'unavailable' ? YES_OR_NO : [workspace]) {
    for (const p of process === 'unavailable' ? YES_OR_NO : [process]) {
      for (const s of session === 'unavailable' ? SESSIONS : [session]) meanings.add(meaningOf(w, p, s));
    }
  }
  const [only] = meanings;
  if (only !== undefined && meanings.size === 1) return only;
  // Either way it had a workspace and its process is gone: whether it wrote a session does not change what follows.
  return [...meanings].every((meaning) => meaning === 'died_early' || meaning === 'exited')
    ? 'exited'
    : 'open';
}

const YES_OR_NO = ['yes', 'no'] as const;
const SESSIONS = ['missing', 'fresh', 'stale'] as const;

function meaningOf(
  workspace: 'yes' | 'no',
  process: 'yes' | 'no',
  session: 'missing' | 'fresh' | 'stale',
): LocalMeaning {
  if (workspace === 'no') {
    if (process === 'yes') return 'misplaced';
    return session === 'missing' ? 'never_started' : 'impossible';
  }
  if (process === 'no') return session === 'missing' ? 'died_early' : 'exited';
  if (session === 'missing') return 'just_started';
  return session === 'fresh' ? 'running' : 'stale';
}
