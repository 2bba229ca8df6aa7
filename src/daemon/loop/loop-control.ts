/** Implements the services' interface to the loop for operator requests. */

import { toAgentFields } from '../../core/model/agent-choice.ts';
import type { Command } from '../../core/model/command.ts';
import type { EventBody } from '../../core/model/event.ts';
import { LegionError } from '../../core/model/fault.ts';
import { toWorkerId } from '../../core/model/ids.ts';
import { isLive, toLifecycleState } from '../../core/model/lifecycle.ts';
import { createDispatchEvent } from '../../core/state/events.ts';
import { chooseAgent, computeNextSessionVersion } from '../../core/state/next-attempt.ts';
import type { LegionState } from '../../core/state/state.ts';
import type { DaemonContext, PortContext, StateContext } from '../context/daemon-context.ts';
import { buildStartContext } from '../context/evaluator.ts';
import { stopWorker } from '../supervisor/stop-process.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import type { LoopControl, StartOrder } from './control.ts';
import { haltLegion } from './halt.ts';
import type { NumberedCommand, Performer } from './performer.ts';
import type { ReconcilePass } from './reconcile.ts';

/** The parts of the running loop that operator requests reach. */
interface ControlledLoop {
  readonly reconcilePass: ReconcilePass;
  readonly supervisor: Supervisor;
  readonly performer: Performer;
  execute(command: Command): Promise<void>;
}

export function createLoopControl(context: DaemonContext, loop: ControlledLoop): LoopControl {
  const { ledger } = context;
  const { signal } = new AbortController();
  return {
    advance: (issue) => loop.reconcilePass.runOne(issue, true, signal),
    async reconcile(issue) {
      await loop.reconcilePass.run(new Set([issue]), signal);
    },
    preview: (issue) => loop.reconcilePass.runOne(issue, false, signal),
    async start(order) {
      let claimed: NumberedCommand | undefined;
      await ledger.append((state) => {
        const [bodies, numbered] = claimAttempt(context, state, order);
        claimed = numbered;
        return bodies;
      });
      if (claimed === undefined)
        throw new LegionError('worker.exists', `${order.issue} already has a running ${order.mode} worker.`);
      await loop.performer.begin(order.issue, [claimed]);
      const worker = ledger.state.workers.get(toWorkerId(order.issue, order.mode));
      if (worker?.process === undefined)
        throw new LegionError(
          'host.start_failed',
          `The worker ${worker?.crash?.[0] ?? 'could not be started'}. Run \`legion explain ${order.issue}\`.`,
        );
    },
    stop: (id, why, alongside) =>
      stopWorker(context, (command) => void loop.execute(command), id, why, alongside),
    halt: (order) => haltLegion(context, loop.performer, order),
    async cleanWorkspace(issue) {
      const merged = ledger.state.issues.get(issue)?.merged;
      return context.workspaces.remove(
        issue,
        merged === undefined ? undefined : { mergedAs: merged.mergedSha },
      );
    },
    async judgeHealth(id) {
      const judgement = await loop.supervisor.judgeHealth(id);
      if (judgement === undefined) throw new LegionError('worker.unknown', `There is no worker ${id}.`);
      return judgement;
    },
    listUndecided: () => loop.supervisor.listUndecided(),
    listActivities: () => loop.supervisor.listActivities(),
  };
}

/** Claims the attempt in the same append as the intent to start it, as the loop does. */
function claimAttempt(
  context: StateContext & PortContext,
  state: LegionState,
  order: StartOrder,
): [EventBody[], NumberedCommand | undefined] {
  const { issue, mode, purpose, note, env } = order;
  const worker = toWorkerId(issue, mode);
  const before = state.workers.get(worker);
  if (before !== undefined && isLive(toLifecycleState(before.facts))) return [[], undefined];
  const attempt = (before?.attempt ?? 0) + 1;
  const intent = state.lastIntent + 1;
  const chosen = chooseAgent(state, mode, buildStartContext(context));
  // Agent readiness was checked earlier. If the agent is no longer ready, the start fails and
  // reports the reason.
  const who = 'choice' in chosen ? chosen.choice : context.agents.choicesFor(mode)[0];
  const version =
    order.version === before?.version ? computeNextSessionVersion(before, who?.agent) : order.version;
  const overrides = { ...toAgentFields(who), ...(env && { env }) };
  const command = { kind: 'spawn', issue, mode, attempt, version, purpose, ...overrides } as const;
  const message = state.lastMessage + 1;
  const messageEvents: EventBody[] =
    note === undefined
      ? []
      : [{ type: 'message.queued', message, to: worker, key: `dispatch:${intent}`, body: note }];
  const host = context.host.name;
  // Removes the `worker-done` label of the previous phase, which would otherwise advance the issue
  // while this worker is running.
  const revision = (state.issues.get(issue)?.lastOwed ?? 0) + 1;
  return [
    [
      ...messageEvents,
      { type: 'intent.opened', intent, command },
      createDispatchEvent(command, context.legionId, host),
      { type: 'labels.owed', issue, revision, add: ['worker-active'], remove: ['worker-done'] },
    ],
    { intent, command },
  ];
}
