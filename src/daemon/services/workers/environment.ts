/**
 * Reports the environment that Legion and the agent set for a worker's current attempt, without
 * secrets.
 */

import type { Command } from '../../../core/model/command.ts';
import { isSecretVariable } from '../../../core/model/environment.ts';
import type { WorkerId } from '../../../core/model/ids.ts';
import type { WorkerRecord } from '../../../core/state/state.ts';
import { buildAttemptEnvironment } from '../../commands/spawn.ts';
import { resolveIssuePhase } from '../../context/board-view.ts';
import type { DaemonContext, StateContext } from '../../context/daemon-context.ts';
import { findIssueEvents } from '../operator/history.ts';
import { requireWorker } from './known-worker.ts';

/** Number of the issue's events that are searched for the start command of the current attempt. */
const MAX_SEARCHED_EVENTS = 200;

type SpawnCommand = Extract<Command, { kind: 'spawn' }>;

/**
 * Returns the variables that Legion and the agent set. Excludes variables that the host adds
 * itself, such as PATH.
 */
export async function readWorkerEnvironment(
  context: DaemonContext,
  id: WorkerId,
): Promise<Readonly<Record<string, string>>> {
  const worker = requireWorker(context.ledger.state, id);
  const { issue, mode, session } = worker;
  const command = await findSpawnOrder(context, worker);
  // The purpose in the start command shows whether this is a retro, even if the issue has been
  // moved since.
  const phase = command.purpose === 'retro' ? 'retro' : resolveIssuePhase(context, issue, mode);
  const workspace = (await context.workspaces.find(issue))?.path ?? '';
  const { env } = context.agentOf(worker).agent.launch(session, { prompt: '', workspace });
  return redactEnvironment({
    ...env,
    ...(await buildAttemptEnvironment(context, command, phase)),
    ...command.env,
  });
}

/**
 * Returns the original start command. If it is too far back in the journal, returns the command
 * that would be built now.
 */
async function findSpawnOrder(
  context: StateContext,
  { issue, mode, attempt, version }: WorkerRecord,
): Promise<SpawnCommand> {
  const events = await findIssueEvents(context.ledger, issue, MAX_SEARCHED_EVENTS);
  const orders = events.flatMap((event) =>
    event.type === 'intent.opened' && event.command.kind === 'spawn' ? [event.command] : [],
  );
  const own = orders.findLast((order) => order.mode === mode && order.attempt === attempt);
  return own ?? { kind: 'spawn', issue, mode, attempt, version, purpose: 'start' };
}

const REDACTED = '[redacted]';

/** Redacts values that look like secrets. */
function redactEnvironment(environment: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(environment).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isSecretVariable(name, value) ? REDACTED : value]),
  );
}
