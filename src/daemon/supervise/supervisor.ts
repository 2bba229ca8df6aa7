/** Watches every worker that has not ended, or whose process has not: follows its output, judges it when that is due. */
import type { WorkerId } from '../../core/model/ids.ts';
import { workerId } from '../../core/model/ids.ts';
import type { WorkerRecord } from '../../core/state/state.ts';
import { hasEnded, lifecycleOf } from '../../domain/lifecycle.ts';
import { judge } from '../../health/judge.ts';
import type { Judgement } from '../../health/judgement.ts';
import { hasJumped, jumpOf, type Moment, watchingSince } from '../../health/watch.ts';
import { presentWorkers } from '../../swarm/workers.ts';
import type { Order } from '../stop-worker.ts';
import { evidenceOf, type Memory, type Watching } from '../supervisor/evidence.ts';
import type { Trace } from '../supervisor/trace.ts';
import { type Did, isSessionLost } from '../supervisor/trace.ts';
import type { World } from '../world.ts';
import { act } from './act.ts';
import { goElsewhere } from './go-elsewhere.ts';
import { holdToBudget } from './hold-to-budget.ts';
import { identityOf } from './identity.ts';
import { type AttemptWatch, watchAttempt } from './watch-attempt.ts';

export interface Supervisor {
  /** One round: takes on who is new, lets go of who is gone, judges who is due. Resolves to when the next one is due. */
  round(): Promise<number | undefined>;
  /** The verdict at this moment; nothing follows from it. */
  healthOf(worker: WorkerId): Promise<Judgement | undefined>;
  /** Workers about whom only a person can decide, such as one that is silent and burns the processor. */
  undecided(): readonly Undecided[];
  /** What those who are watched did last, as far as their agents have told. */
  doings(): ReadonlyMap<WorkerId, Did>;
  close(): void;
}

export interface Undecided {
  readonly worker: WorkerId;
  readonly why: string;
  readonly since: number;
}

interface Ward {
  readonly attempt: number;
  readonly watch: AttemptWatch | undefined;
  memory: Memory;
  judgement?: Judgement;
  dueAt: number;
}

const UNSUSPECTED: Memory = { suspicion: { flagged: false }, questionsAsked: 0, personToldAt: 'never' };

export function startSupervisor(world: World, order: Order, wake: () => void): Supervisor {
  const { clock, ledger, settings, troubles, view } = world;
  const begunAt = clock.now();
  const wards = new Map<WorkerId, Ward>();
  let watching: Watching = { watchingSince: begunAt, clockSetAt: 0 };
  let lastRound: Moment = { now: begunAt, monotonic: clock.monotonic() };

  /** A ward belongs to one attempt and to its process once that is known; another of either is another ward. */
  function wardOf(id: WorkerId, worker: WorkerRecord): Ward {
    const known = wards.get(id);
    const identity = identityOf(worker);
    const same = known?.attempt === worker.attempt;
    // One that has ended without a word is still read: its last words may name a quota and its reset.
    const isOver = worker.exit !== undefined && hasEnded(lifecycleOf(worker.facts));
    if (same && (known.watch !== undefined || identity === undefined || isOver)) return known;
    known?.watch?.close();
    const changed = () => {
      const ward = wards.get(id);
      if (ward !== undefined) ward.dueAt = 0;
      wake();
    };
    const { agent } = world.agentOf(worker);
    const watch =
      identity === undefined || isOver ? undefined : watchAttempt(world, agent, worker, identity, changed);
    const ward: Ward = {
      attempt: worker.attempt,
      watch,
      memory: same ? known.memory : UNSUSPECTED,
      dueAt: same ? known.dueAt : 0,
    };
    wards.set(id, ward);
    return ward;
  }

  async function judged(id: WorkerId, worker: WorkerRecord, ward: Ward): Promise<void> {
    // Which phase it is in is on the board: a flag raised before that is read would be taken back afterwards.
    if (!view.isRead && clock.now() - begunAt < BOARD_PATIENCE_MS) {
      ward.dueAt = clock.now() + BOARD_LOOK_MS;
      return;
    }
    // What it wrote up to now speaks before it is judged.
    await ward.watch?.look();
    // Words that could not be written down yet may name a quota; until the journal takes them, it takes no verdict either.
    if (ward.watch?.hasUnheard === true) {
      ward.dueAt = clock.now() + RETRY_MS;
      return;
    }
    const present = ledger.swarm.workers.get(id);
    if (present?.attempt !== worker.attempt) return;
    if (ward.watch !== undefined && (await stopWithoutLogin(world, present, ward.watch.trace))) return;
    const evidence = await evidenceOf(world, present, ward.watch?.trace, ward.memory, watching);
    const judgement = judge(evidence, clock.now(), settings().health);
    ward.judgement = judgement;
    const lost = ward.watch !== undefined && isSessionLost(ward.watch.trace);
    const { lastError } = ward.watch?.trace ?? {};
    const found = {
      worker: present,
      evidence,
      judgement,
      memory: ward.memory,
      isSessionLost: lost,
      lastError,
    };
    ward.memory = await act(world, found, order);
    const held = ledger.swarm.workers.get(id);
    const budgetAt = held?.attempt === worker.attempt ? await holdToBudget(world, held, order) : undefined;
    ward.dueAt = Math.min(
      judgement.lookAgainAt ?? Number.POSITIVE_INFINITY,
      budgetAt ?? Number.POSITIVE_INFINITY,
    );
  }

  async function noteJump(byMs: number): Promise<void> {
    await ledger.append(({ lastJump }) => [{ type: 'clock.jumped', jump: lastJump + 1, byMs }]);
  }

  return {
    async round() {
      const now = clock.now();
      const moment = { now, monotonic: clock.monotonic() };
      const jumped = hasJumped(lastRound, moment);
      if (jumped) await noteJump(Math.round(jumpOf(lastRound, moment)));
      watching = {
        watchingSince: watchingSince(watching.watchingSince, lastRound, moment, settings().health),
        clockSetAt: jumped ? now : watching.clockSetAt,
      };
      lastRound = moment;
      const supervised = presentWorkers(ledger.swarm);
      const ids = new Set(supervised.map(([id]) => id));
      for (const [id, ward] of wards) {
        if (ids.has(id)) continue;
        ward.watch?.close();
        wards.delete(id);
      }
      for (const [id, worker] of supervised) {
        const ward = wardOf(id, worker);
        // One worker that cannot be looked at must not hide the others.
        try {
          // Whoever takes its place may be ready only now: that is no news of the worker itself.
          await goElsewhere(world, id);
          if (ward.dueAt > now) continue;
          await judged(id, worker, ward);
          troubles.clear(`health of ${id}`);
        } catch (error) {
          ward.dueAt = now + RETRY_MS;
          troubles.raise(`health of ${id}`, error);
        }
      }
      const next = Math.min(...[...wards.values()].map(({ dueAt }) => dueAt));
      return Number.isFinite(next) ? next : undefined;
    },
    async healthOf(id) {
      const worker = ledger.swarm.workers.get(id);
      if (worker === undefined) return undefined;
      const ward = wards.get(id);
      const same = ward?.attempt === worker.attempt ? ward : undefined;
      const memory = same?.memory ?? UNSUSPECTED;
      const evidence = await evidenceOf(world, worker, same?.watch?.trace, memory, watching);
      return judge(evidence, clock.now(), settings().health);
    },
    undecided: () =>
      [...wards].flatMap(([worker, { judgement, memory }]) =>
        judgement !== undefined && isForPerson(judgement) && memory.personToldAt !== 'never'
          ? [{ worker, why: judgement.why, since: memory.personToldAt }]
          : [],
      ),
    doings: () =>
      new Map(
        [...wards].flatMap(([worker, { watch }]): [WorkerId, Did][] =>
          watch?.trace.did === undefined ? [] : [[worker, watch.trace.did]],
        ),
      ),
    close() {
      for (const { watch } of wards.values()) watch?.close();
      wards.clear();
    },
  };
}

/** Who waits for an answer has asked for it, and is in the inbox as a question. */
function isForPerson({ until, verdict }: Judgement): boolean {
  return until === 'person' && verdict !== 'waiting' && verdict !== 'ended';
}

/** The first reading of a board takes a moment; one that cannot be read must not keep anybody from being judged. */
const BOARD_PATIENCE_MS = 30_000;
const BOARD_LOOK_MS = 100;

/** Before a look that failed is tried again. */
const RETRY_MS = 5_000;

/** Whether it was stopped. One that has reported is judged by its report. */
async function stopWithoutLogin(
  { ledger, noteRefusedLogin, wake }: World,
  { issue, mode, attempt, agent, model }: WorkerRecord,
  { loginRefused }: Pick<Trace, 'loginRefused'>,
): Promise<boolean> {
  if (loginRefused === undefined) return false;
  const appended = await ledger.append((swarm) => {
    const present = swarm.workers.get(workerId(issue, mode));
    if (present?.attempt !== attempt) return [];
    const state = lifecycleOf(present.facts);
    if (state !== 'spawned' && state !== 'executing') return [];
    const why = `The login of its agent was refused: ${loginRefused}`;
    return [{ type: 'attempt.stopped', issue, mode, attempt, why }];
  });
  if (appended.length === 0) return false;
  if (agent !== undefined) noteRefusedLogin({ agent, model }, loginRefused);
  wake(issue);
  return true;
}
