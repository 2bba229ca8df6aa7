/** Carries out what a judgement says is next for one attempt. */
import type { Command } from '../../core/model/command.ts';
import type { EventBody } from '../../core/model/event.ts';
import { workerId } from '../../core/model/ids.ts';
import type { WorkerRecord } from '../../core/state/state.ts';
import type { HealthEvidence } from '../../health/evidence.ts';
import type { Judgement } from '../../health/judgement.ts';
import { clearFlag, probeFailed, probeSent, raiseFlag } from '../../health/suspicion.ts';
import { recoverReport } from '../reports/recover-report.ts';
import type { Memory } from '../supervisor/evidence.ts';
import type { World } from '../world.ts';

/** Tells a person; the key makes it one comment however often it is said. Nobody waits: other workers are to be judged. */
export type Tell = (command: Extract<Command, { kind: 'escalate' }>) => void;

/** One attempt as it was found, and what that means. */
interface Case {
  readonly worker: WorkerRecord;
  readonly evidence: HealthEvidence;
  readonly judgement: Judgement;
  readonly memory: Memory;
  /** The agent has nothing to go on with. */
  readonly isSessionLost: boolean;
  /** In the agent's own words. */
  readonly lastError: string | undefined;
}

/** Resolves to what is to be remembered until the next look. */
export async function act(world: World, found: Case, tell: Tell): Promise<Memory> {
  const { worker, evidence, judgement, memory } = found;
  const now = world.clock.now();
  const { suspicion } = memory;
  switch (judgement.next) {
    case 'leave_alone':
    case 'reap_at_cleanup':
      return memory;
    case 'flag':
      return { ...memory, suspicion: raiseFlag(evidence, now) };
    case 'clear':
      return { ...memory, suspicion: clearFlag(now) };
    case 'examine':
      return suspicion.flagged
        ? { ...memory, suspicion: probeSent(suspicion, evidence, 'examine', now) }
        : memory;
    case 'probe_ask':
      // An agent that ends its process with its turn cannot be asked anything; a probe that could not run proves nothing.
      return suspicion.flagged ? { ...memory, suspicion: probeFailed(suspicion, 'ask', now) } : memory;
    case 'recover_report':
      await recoverReport(world, worker);
      return memory;
    case 'hold_for_quota':
    case 'resume_after_quota':
    case 'confirm_crash':
    case 'replace_once':
    case 'dispatch':
      await record(world, found);
      return memory;
    case 'stop_and_report':
      await record(world, found);
      return told(worker, judgement, memory, tell, now);
    case 'remind':
    case 'ask_person':
    case 'report_corruption':
      return told(worker, judgement, memory, tell, now);
  }
}

async function record({ ledger, wake }: World, found: Case): Promise<void> {
  const { issue, mode, attempt } = found.worker;
  await ledger.append((swarm) => {
    const present = swarm.workers.get(workerId(issue, mode));
    return present?.attempt === attempt ? [eventOf(present, found)] : [];
  });
  wake(issue);
}

function eventOf(worker: WorkerRecord, found: Case): EventBody {
  const { evidence: seen, judgement, isSessionLost, lastError } = found;
  const { rateLimit, suspicion } = seen;
  const { issue, mode, attempt, lastWait } = worker;
  const about = { issue, mode, attempt };
  if (judgement.next === 'hold_for_quota') {
    const resetAt = typeof rateLimit === 'object' ? rateLimit.resetAt : 'unknown';
    const until = resetAt === 'unknown' ? {} : { until: resetAt };
    return { type: 'attempt.waiting', ...about, wait: lastWait + 1, for: 'quota', ...until };
  }
  if (judgement.next === 'resume_after_quota') {
    // Not a crash: the session goes on in another attempt, because its process has long ended.
    return { type: 'attempt.stopped', ...about, why: judgement.why };
  }
  if (worker.refusedUnheard === true && worker.exit?.code === 0) {
    // It believed that it was done: the next attempt is told what its report lacked.
    const why = 'Its report was made while no daemon could answer, and was refused after it had exited.';
    return { type: 'attempt.stopped', ...about, why };
  }
  // Whoever has to decide what now should not have to look for the reason in a log.
  const why =
    lastError === undefined ? judgement.why : `${judgement.why} The agent’s last error: ${lastError}`;
  const evidence = [why, ...judgement.grounds.map((ground) => `ground=${ground}`), ...judgement.evidence];
  const flagged = suspicion.flagged ? { flaggedAt: suspicion.since } : {};
  const session = isSessionLost ? ({ session: 'lost' } as const) : {};
  const error = lastError === undefined ? {} : { error: lastError };
  return { type: 'attempt.crashed', ...about, evidence, ...flagged, ...session, ...error };
}

function told(
  { issue, mode, attempt }: WorkerRecord,
  { next, why, wouldChange, evidence }: Judgement,
  memory: Memory,
  tell: Tell,
  now: number,
): Memory {
  const text = [
    `${mode} worker, attempt ${attempt}: ${why}`,
    wouldChange,
    ...evidence.map((fact) => `- ${fact}`),
  ];
  // A reminder is told anew each day, anything else once.
  const key = `${issue}:${mode}:${attempt}:${next}${next === 'remind' ? `:${now}` : ''}`;
  tell({ kind: 'escalate', issue, key, text: text.join('\n') });
  return { ...memory, personToldAt: now };
}
