/** Judges a report that is durable by the proof its phase left in the world: it is accepted, refused, or left for later. */

import { type Fact, type Proof, type Recovery, verifyReport } from '../../core/health/verify-report.ts';
import type { EventBody } from '../../core/model/event.ts';
import { type WorkerId, workerId } from '../../core/model/ids.ts';
import type { Swarm, WorkerRecord } from '../../core/state/state.ts';
import { lifecycleOf } from '../../domain/lifecycle.ts';
import type { Standing } from '../../workspaces/workspace.ts';
import { isFromOperator } from '../from-operator.ts';
import { messagesFor } from '../prompt/told.ts';
import type { World } from '../world.ts';
import { acceptance, acceptSentBack } from './acceptance.ts';
import { type Found, findProof } from './find-proof.ts';
import { gateStanding } from './quality-gate.ts';

/**
 * - `accepted`, `refused`   written, together with the marks that follow from it.
 * - `unknown`               a proof could not be read; the report stays, and can be judged again.
 * - `gate_due`              everything else is there, and the quality gate has to run at this commit.
 * - `nothing_to_judge`      no report of the present attempt waits, or somebody else was faster.
 */
export type ReportVerdict = 'accepted' | 'refused' | 'unknown' | 'nothing_to_judge';

export type Judged =
  | {
      readonly verdict: ReportVerdict;
      /** What the worker has to do, where something it claims is not there. */
      readonly missing?: string;
      /** The quality gate is what is missing. */
      readonly gate?: 'red';
    }
  | { readonly verdict: 'gate_due'; readonly sha: string; readonly standing?: Standing | undefined };

/**
 * What to do where the result of the quality gate is not known: say so to whoever can wait for it, or go by what is known;
 * then the gate runs after the report, on the way to Testing.
 */
export type GateRule = 'run_gate' | 'as_known';

/** Whether the worker can hear the answer, or made its report while no daemon ran. */
export type Hearing = 'heard' | 'unheard';

export async function judgeReport(
  world: World,
  worker: WorkerId,
  hearing: Hearing = 'heard',
): Promise<ReportVerdict> {
  const judged = await judge(world, worker, 'as_known', hearing);
  return judged.verdict === 'gate_due' ? 'unknown' : judged.verdict;
}

/**
 * Never rejects for what could not be read: that is told as a trouble, and gone when the report is judged. `seen` is the
 * workspace as somebody saw it a moment ago.
 */
export async function judge(
  world: World,
  worker: WorkerId,
  rule: GateRule,
  hearing: Hearing = 'heard',
  seen?: Standing,
): Promise<Judged> {
  const about = `report of ${worker}`;
  try {
    const judged = await judgeByProof(world, worker, { rule, hearing, seen });
    world.troubles.clear(about);
    return judged;
  } catch (error) {
    world.troubles.raise(about, error);
    return { verdict: 'unknown' };
  }
}

interface JudgeOptions {
  readonly rule: GateRule;
  readonly hearing: Hearing;
  readonly seen: Standing | undefined;
}

async function judgeByProof(
  world: World,
  id: WorkerId,
  { rule, hearing, seen }: JudgeOptions,
): Promise<Judged> {
  const worker = waiting(world.ledger.swarm, id);
  if (worker === undefined) return { verdict: 'nothing_to_judge' };
  // An error needs no proof: nobody claims that something is there.
  if (worker.report?.outcome === 'error')
    return settle(world, id, worker, () => [accepted(worker)], 'accepted');
  const unheard = unheardBy(world, worker);
  if (unheard !== undefined) {
    const { missing, delivered } = unheard;
    const events = (swarm: Swarm) => [refused(worker, missing, hearing), ...delivered(swarm)];
    return { ...(await settle(world, id, worker, events, 'refused')), missing };
  }
  // What is unfit has no proof of being done; the reason itself is the result.
  if (worker.report?.sentBack !== undefined) return settle(world, id, worker, acceptSentBack, 'accepted');
  const found = await findProof(world, worker, seen);
  switch (stepFor(world, worker, found)) {
    case 'synthesise_report':
      return judgeByGate(world, worker, found, rule, hearing);
    case 'synthesise_error': {
      const missing = missingIn(found);
      const events = () => [refused(worker, missing, hearing)];
      return { ...(await settle(world, id, worker, events, 'refused')), missing };
    }
    case 'probe':
    case 'ask_person':
      return { verdict: 'unknown' };
    case 'record_only':
      return { verdict: 'nothing_to_judge' };
  }
}

async function judgeByGate(
  world: World,
  worker: WorkerRecord,
  found: Found,
  rule: GateRule,
  hearing: Hearing,
): Promise<Judged> {
  const id = workerId(worker.issue, worker.mode);
  const standing = gateStanding(world, worker, found);
  if (standing.gate === 'red') {
    const { missing } = standing;
    const settled = await settle(world, id, worker, () => [refused(worker, missing, hearing)], 'refused');
    return { ...settled, missing, gate: 'red' };
  }
  if (standing.gate === 'due') {
    const { sha } = standing;
    if (rule === 'run_gate')
      return {
        verdict: 'gate_due',
        sha,
        standing: typeof found.standing === 'object' ? found.standing : undefined,
      };
    // It is judged when the run ends.
    if (world.gates.isRunning(worker.issue, sha)) return { verdict: 'unknown' };
  }
  return settle(world, id, worker, (swarm, present) => acceptance(swarm, present, found), 'accepted');
}

/** The worker, if its present attempt has reported and was not judged yet. */
function waiting(swarm: Swarm, id: WorkerId): WorkerRecord | undefined {
  const worker = swarm.workers.get(id);
  return worker !== undefined && lifecycleOf(worker.facts) === 'reporting' ? worker : undefined;
}

/** Looking for proof takes time: what was judged must still be what waits when the verdict is written. */
async function settle(
  world: World,
  id: WorkerId,
  judged: WorkerRecord,
  events: (swarm: Swarm, present: WorkerRecord) => EventBody[],
  verdict: 'accepted' | 'refused',
): Promise<{ readonly verdict: ReportVerdict }> {
  const written = await world.ledger.append((swarm) => {
    const present = waiting(swarm, id);
    const isSame = present?.attempt === judged.attempt && present.lastReport === judged.lastReport;
    return isSame ? events(swarm, present) : [];
  });
  if (written.length === 0) return { verdict: 'nothing_to_judge' };
  world.wake(judged.issue);
  return { verdict };
}

function stepFor(world: World, worker: WorkerRecord, { phase, proofs }: Found): Recovery['step'] {
  const { attempt, facts } = worker;
  const seen = Object.entries(proofs).map(([proof, { fact }]): [Proof, Fact] => [proof as Proof, fact]);
  const now = world.clock.now();
  const lost = {
    phase,
    attempt,
    newestAttempt: attempt,
    claims: 'done',
    lostSince: facts.reportedAt ?? now,
    facts: Object.fromEntries(seen),
  } as const;
  return verifyReport(lost, now, world.settings().health).step;
}

function missingIn({ proofs }: Found): string {
  const said = Object.values(proofs).flatMap((proof) => (proof.fact === 'no' ? [proof.missing] : []));
  return said.join(' ');
}

function accepted({ issue, mode, attempt, lastReport: report }: WorkerRecord): EventBody {
  return { type: 'attempt.report_accepted', issue, mode, attempt, report };
}

function refused(worker: WorkerRecord, missing: string, hearing: Hearing): EventBody {
  const { issue, mode, attempt, lastReport: report } = worker;
  const unheard = hearing === 'unheard' ? ({ unheard: true } as const) : {};
  return { type: 'attempt.report_refused', issue, mode, attempt, report, missing, ...unheard };
}

interface Unheard {
  /** For the answer to its report: with it, the worker has heard them. */
  readonly missing: string;
  readonly delivered: (swarm: Swarm) => EventBody[];
}

/** Only of agents that go on in the same life: for the others their next life begins with it. */
function unheardBy({ agentOf, ledger }: World, worker: WorkerRecord): Unheard | undefined {
  const waiting = operatorsWords(ledger.swarm, worker);
  if (waiting.length === 0 || !agentOf(worker).agent.hearsLetters) return undefined;
  const numbers = new Set(waiting.map(([message]) => message));
  return {
    missing: `Somebody spoke to you while you worked. Take it into account first.\n\n${waiting.map(([, { body }]) => body).join('\n\n')}\n\n`,
    delivered: (swarm) =>
      operatorsWords(swarm, worker)
        .filter(([message]) => numbers.has(message))
        .map(([message]) => ({ type: 'message.delivered', message })),
  };
}

function operatorsWords(swarm: Swarm, worker: WorkerRecord) {
  return messagesFor(swarm, worker).filter(([, { body }]) => isFromOperator(body));
}
