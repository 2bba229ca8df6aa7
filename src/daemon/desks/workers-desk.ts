/** The workers' desk: who is at work, and what an operator may do about it. */
import type { WorkerId } from '../../core/model/ids.ts';
import type { Control } from '../control.ts';
import type { WorkersDesk } from '../daemon.ts';
import { listWorkers, workerView } from '../present/worker.ts';
import { logs } from '../services/workers/logs.ts';
import type { World } from '../world.ts';
import { dispatch } from './workers/dispatch.ts';
import { environment } from './workers/environment.ts';
import { knownWorker } from './workers/known-worker.ts';
import { prompt } from './workers/prompt.ts';
import { prune } from './workers/prune.ts';
import { removeWorkspace } from './workers/remove-workspace.ts';
import { resetCrashes } from './workers/reset-crashes.ts';
import { reversion } from './workers/reversion.ts';
import { statusOf } from './workers/status.ts';
import { stopByOperator } from './workers/stop.ts';

export function workersDesk(world: World, control: Control): WorkersDesk {
  const known = (worker: WorkerId) => knownWorker(world.ledger.swarm, worker);
  return {
    list: () => listWorkers(world),
    get: (worker) => workerView(world, known(worker)),
    async status(worker) {
      const { issue } = known(worker);
      const workspace = (await world.workspaces.find(issue))?.path;
      return statusOf(world, control, known(worker), workspace);
    },
    dispatch: (request) => dispatch(world, control, { ...request, issue: world.view.spelled(request.issue) }),
    prompt: (worker, request) => prompt(world, control, worker, request),
    environment: (worker) => environment(world, worker),
    stop: async (worker, request) => stopByOperator(world, control, known(worker), request),
    reversion: (worker, version) => reversion(world, worker, version),
    removeWorkspace: (worker) => removeWorkspace(world, control, worker),
    resetCrashes: (worker, by) => resetCrashes(world, worker, by),
    prune: () => prune(world),
    logs: (worker, query) => logs(world, worker, query),
  };
}
