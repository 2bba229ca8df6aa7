/**
 * Serves requests about workers: reports their state and carries out an operator's actions on them.
 */
import type { WorkerId } from '../../../core/model/ids.ts';
import type { DaemonContext } from '../../context/daemon-context.ts';
import type { WorkerService } from '../../daemon.ts';
import type { LoopControl } from '../../loop/control.ts';
import { toWorkerView } from '../../present/worker.ts';
import { pruneFinishedIssues, removeWorkspace } from '../cleanup.ts';
import { dispatchWorker } from './dispatch.ts';
import { readWorkerEnvironment } from './environment.ts';
import { readWorkerStatus, requireWorker } from './known-worker.ts';
import { listWorkers } from './list.ts';
import { readLogs } from './logs.ts';
import { promptWorker } from './prompt.ts';
import { resetCrashes, setSessionVersion } from './reset-crashes.ts';
import { stopByOperator } from './stop.ts';

export function createWorkerService(context: DaemonContext, control: LoopControl): WorkerService {
  const requireKnown = (worker: WorkerId) => requireWorker(context.ledger.state, worker);
  return {
    list: (query) => listWorkers(context, query),
    get: (worker) => toWorkerView(context, requireKnown(worker)),
    async status(worker) {
      const { issue } = requireKnown(worker);
      const workspace = (await context.workspaces.find(issue))?.path;
      return readWorkerStatus(context, control, requireKnown(worker), workspace);
    },
    dispatch: (request) =>
      dispatchWorker(context, control, { ...request, issue: context.boardView.resolveId(request.issue) }),
    prompt: (worker, request) => promptWorker(context, control, worker, request),
    environment: (worker) => readWorkerEnvironment(context, worker),
    stop: async (worker, request) => stopByOperator(context, control, requireKnown(worker), request),
    reversion: (worker, version) => setSessionVersion(context, worker, version),
    removeWorkspace: (worker, repo) => removeWorkspace(context, control, worker, repo),
    resetCrashes: (worker, by) => resetCrashes(context, worker, by),
    prune: (request) => pruneFinishedIssues(context, request),
    logs: (worker, query) => readLogs(context, worker, query),
  };
}
