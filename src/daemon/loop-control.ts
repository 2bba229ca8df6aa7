/** What an operator may make the loop do: the desks' way to it. */
import type { EventBody } from '../core/model/event.ts';
import { LegionError } from '../core/model/fault.ts';
import { workerId } from '../core/model/ids.ts';
import { dispatched } from '../core/state/events.ts';
import type { Swarm } from '../core/state/state.ts';
import { isLive, lifecycleOf } from '../domain/lifecycle.ts';
import { chooseAgent, whoWorks } from '../swarm/choose-agent.ts';
import { nextVersion } from '../swarm/restart.ts';
import type { Control, StartOrder } from './control.ts';
import { haltLegion } from './halt.ts';
import type { Numbered } from './loop/performer.ts';
import type { Loop } from './loop.ts';
import { startContext } from './start-context.ts';
import { stopWorker } from './stop-worker.ts';
import type { World } from './world.ts';

export function loopControl(world: World, loop: Loop): Control {
  const { ledger } = world;
  const { signal } = new AbortController();
  return {
    advance: (issue) => loop.look.atOne(issue, true, signal),
    async lookAt(issue) {
      await loop.look.at(new Set([issue]), signal);
    },
    preview: (issue) => loop.look.atOne(issue, false, signal),
    async start(order) {
      let claimed: Numbered | undefined;
      await ledger.append((swarm) => {
        const [bodies, numbered] = claim(world, swarm, order);
        claimed = numbered;
        return bodies;
      });
      if (claimed === undefined)
        throw new LegionError('worker.exists', `a ${order.mode} worker of ${order.issue} is at it already`);
      await loop.performer.begin(order.issue, [claimed]);
      const worker = ledger.swarm.workers.get(workerId(order.issue, order.mode));
      if (worker?.process === undefined)
        throw new LegionError(
          'host.start_failed',
          `the worker ${worker?.crash?.[0] ?? 'could not be started'}; see \`legion explain ${order.issue}\``,
        );
    },
    stop: (id, why, alongside) =>
      stopWorker(world, (command) => void loop.order(command), id, why, alongside),
    halt: (order) => haltLegion(world, loop.performer, order),
    async cleanWorkspace(issue) {
      const merged = ledger.swarm.issues.get(issue)?.merged;
      return world.workspaces.remove(
        issue,
        merged === undefined ? undefined : { mergedAs: merged.mergedSha },
      );
    },
    async healthOf(id) {
      const judgement = await loop.supervisor.healthOf(id);
      if (judgement === undefined) throw new LegionError('worker.unknown', `there is no worker ${id}`);
      return judgement;
    },
    undecided: () => loop.supervisor.undecided(),
    doings: () => loop.supervisor.doings(),
  };
}

/** The attempt is claimed in the same append as its intent, as the loop does it. */
function claim(world: World, swarm: Swarm, order: StartOrder): [EventBody[], Numbered | undefined] {
  const { issue, mode, purpose, note, env } = order;
  const worker = workerId(issue, mode);
  const before = swarm.workers.get(worker);
  if (before !== undefined && isLive(lifecycleOf(before.facts))) return [[], undefined];
  const attempt = (before?.attempt ?? 0) + 1;
  const intent = swarm.lastIntent + 1;
  const chosen = chooseAgent(swarm, mode, startContext(world));
  // Whether anybody can work was asked before; should that have changed since, the start fails and says why.
  const who = 'choice' in chosen ? chosen.choice : world.agents.choicesFor(mode)[0];
  const version = order.version === before?.version ? nextVersion(before, who?.agent) : order.version;
  const given = { ...whoWorks(who), ...(env && { env }) };
  const command = { kind: 'spawn', issue, mode, attempt, version, purpose, ...given } as const;
  const message = swarm.lastMessage + 1;
  const said: EventBody[] =
    note === undefined
      ? []
      : [{ type: 'message.queued', message, to: worker, key: `dispatch:${intent}`, body: note }];
  const host = world.host.name;
  // Otherwise the mark of a phase that was finished before would move the issue on under its hands.
  const revision = (swarm.issues.get(issue)?.lastOwed ?? 0) + 1;
  return [
    [
      ...said,
      { type: 'intent.opened', intent, command },
      dispatched(command, world.legionId, host),
      { type: 'labels.owed', issue, revision, add: ['worker-active'], remove: ['worker-done'] },
    ],
    { intent, command },
  ];
}
