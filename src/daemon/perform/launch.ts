/** Describes the process of an attempt: a new session or one that goes on, its prompt, its environment. */

import { LegionError } from '../../core/model/fault.ts';
import { workerId } from '../../core/model/ids.ts';
import type { Phase } from '../../domain/mode.ts';
import type { NewProcess } from '../../hosts/host.ts';
import { LETTERS_VARIABLE } from '../../protocol/letter.ts';
import type { Workspace } from '../../workspaces/workspace.ts';
import { describeStanding } from '../prompt/describe-standing.ts';
import { promptFor } from '../prompt/prompt.ts';
import { describeSinceLastLook } from '../prompt/since-last-look.ts';
import { toldFor } from '../prompt/told.ts';
import { phaseOf } from '../reports/phase-of.ts';
import type { World } from '../world.ts';
import type { PreparedWorkspace } from './prepared-workspace.ts';
import type { Spawn } from './spawn.ts';

export async function launchOf(
  world: World,
  command: Spawn,
  { workspace, standing }: PreparedWorkspace,
  signal: AbortSignal,
): Promise<Pick<NewProcess, 'argv' | 'env' | 'stdin' | 'letters'>> {
  const { issue: id, mode } = command;
  const issue = await world.tracker.read(id, signal);
  if (issue === undefined) throw new LegionError('tracker.issue_unknown', `${id} is no longer on the board`);
  const phase = phaseOf(mode, issue.column, world.settings().columns);
  const repository = world.repositories.of(id);
  const { name, base } = repository;
  const [commands, instructions, templates, sinceLastLook, told] = await Promise.all([
    repository.promptCommands(),
    repository.instructions(phase),
    repository.prompts(),
    describeSinceLastLook(world, command, signal),
    toldFor(world, command, signal),
  ]);
  const prompt = promptFor({
    ...command,
    calledFor: world.ledger.swarm.workers.get(workerId(id, mode))?.purpose ?? command.purpose,
    issue,
    phase,
    tracker: world.tracker.kind,
    repository: name,
    base,
    baseRef: repository.baseRef,
    commands,
    workspace: workspace.path,
    notes: [describeStanding(standing), sinceLastLook],
    ...told,
    retroPaths: world.policyOf(id).retroPaths,
    instructions,
    templates,
  });
  const [launch, own] = await Promise.all([
    agentLaunch(world, command, workspace, prompt),
    environmentOf(world, command, phase),
  ]);
  return { ...launch, env: { ...launch.env, ...own, ...command.env }, letters: LETTERS_VARIABLE };
}

/** Continues the session where there is one, else begins it with the same prompt. */
async function agentLaunch(world: World, command: Spawn, workspace: Workspace, prompt: string) {
  const { agent, use } = world.agentOf(command);
  const record = world.ledger.swarm.workers.get(workerId(command.issue, command.mode));
  const session = record?.session ?? '';
  const start = { prompt, workspace: workspace.path, ...use };
  const trace = await agent.session(session, record?.native, workspace.path);
  const known = trace === 'unavailable' ? command.attempt > 1 : trace !== 'missing';
  return known ? agent.resume(session, record?.native, start) : agent.launch(session, start);
}

/** See `protocol/worker-environment.ts`. */
export async function environmentOf(
  world: World,
  command: Spawn,
  phase: Phase,
): Promise<Record<string, string>> {
  const { issue, mode, attempt, purpose } = command;
  const worker = workerId(issue, mode);
  return {
    ...(await world.environmentFor(command)),
    LEGION_WORKER: worker,
    LEGION_ISSUE: issue,
    LEGION_MODE: mode,
    LEGION_PHASE: phase,
    LEGION_PURPOSE: purpose,
    LEGION_ATTEMPT: String(attempt),
    LEGION_WORKER_TOKEN: world.tokens.tokenFor({ issue, mode, attempt }),
    LEGION_STATE: world.folders.state,
    LEGION_SOCKET: world.folders.socket,
    LEGION_OUTBOX: world.folders.outbox(worker, attempt),
  };
}
