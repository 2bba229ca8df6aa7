/**
 * `legion halt`: stops every worker immediately. If the daemon does not answer, stops the processes
 * itself and records a halt for the next daemon.
 */

import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from '@commander-js/extra-typings';
import { readLegionFile, readLegionName } from '../../../config/legion/resolve.ts';
import { findNearest } from '../../../config/problem.ts';
import { LegionError, quoteText } from '../../../core/model/fault.ts';
import { openLocalHost } from '../../../hosts/local/local-host.ts';
import { writeDurably } from '../../../lib/fs/atomic-write.ts';
import { listFolders, makeFolderDurably } from '../../../lib/fs/folder.ts';
import { isRunning } from '../../../lib/process/proc-table.ts';
import type { FoundProcess, Host } from '../../../ports/host.ts';
import { adminEndpoints } from '../../../protocol/endpoints/admin.ts';
import { HALT_FILE, type HaltFile } from '../../../protocol/state-files.ts';
import { readDaemonFile, readStartedFrom } from '../../daemon-address.ts';
import { findDaemonHealth } from '../../explain-not-running.ts';
import { readKnownLegions } from '../../known-legions.ts';
import type { LegionLocation } from '../../legion-location.ts';
import { sanitizeText, withProgress } from '../../present/terminal.ts';
import { type CommandResult, type CommandSession, daemonCommand } from '../../program/daemon-command.ts';
import { type CommandContext, renderExamples } from '../../program/define-command.ts';

export const halt = daemonCommand(
  () =>
    new Command()
      .description(
        'Stop every worker now and start none until `legion resume`, even after a restart. A merge in progress completes first. Stopped workers do not count as crashed, and their sessions continue after the resume. This also works without a running daemon. Same as `legion stop --all`.',
      )
      .option('--why <TEXT>', 'Reason to record in the journal')
      .addHelpText('after', renderExamples('legion halt --why "The model is down"')),
  async ({ options: { why } }, session) => haltLegion(session, why, 'legion halt'),
);

/**
 * Halts the legion, even if its daemon is not running, because workers keep running after their
 * daemon is killed.
 */
export async function haltLegion(
  session: CommandSession,
  why: string | undefined,
  typed: 'legion halt' | 'legion stop --all',
): Promise<CommandResult> {
  const { daemon, by, location, context } = session;
  if ((await findDaemonHealth(location.state, context.signal)) === undefined)
    return stopWithoutDaemon(session, why ?? typed);
  const answer = await daemon.call(adminEndpoints.halt, { body: { by, why } });
  return { data: answer, text: sanitizeText(answer.says) };
}

/**
 * Timeouts of the stop sequence. The sequence begins with SIGTERM, because only a daemon can first
 * ask a worker to end by itself.
 */
const TERM_TO_KILL_MS = 10_000;

const KILL_TO_GONE_MS = 2_000;

const STOP_POLL_MS = 100;

/** Exit code if a process survived SIGKILL. */
const EXIT_SURVIVED = 1;

export async function stopWithoutDaemon(session: CommandSession, why: string): Promise<CommandResult> {
  const { location, by, context } = session;
  const { legion } = location.resolved.config;
  requireKnownLegion(location, context);
  const hasRun = existsSync(location.state);
  // Written before the first signal, so that a daemon that starts now finds the legion halted.
  await writeHalt(location.state, { by, why, at: Date.now() });
  const host = await openLocalHost({
    folder: join(location.state, 'host'),
    legion,
    environment: context.env,
  });
  const { stopped, left } = await withProgress(context, `stopping the workers of ${legion}`, () =>
    stopProcesses(host),
  );
  const unknown = hasRun ? [] : [`${legion} has never run on this machine.`];
  const text = [
    ...unknown,
    ...renderDaemonLines(location.state),
    ...renderProcessLines(stopped, left),
    describeHalt(legion),
  ].join('\n');
  const processes = { stopped: stopped.map(toProcessData), left: left.map(toProcessData) };
  return { data: { legion, halted: true, ...processes }, text, exit: left.length === 0 ? 0 : EXIT_SURVIVED };
}

/**
 * Records the halt. If an earlier halt exists that no daemon has read yet, keeps the earlier one,
 * because a running daemon would also keep the first reason.
 */
async function writeHalt(state: string, halt: HaltFile): Promise<void> {
  const path = join(state, HALT_FILE);
  if (existsSync(path)) return;
  await makeFolderDurably(state);
  await writeDurably(path, `${JSON.stringify(halt)}\n`);
}

interface StoppedProcesses {
  readonly stopped: readonly FoundProcess[];
  readonly left: readonly FoundProcess[];
}

/**
 * Stops all processes with signals. The host verifies the identity of each process right before
 * each signal, and signals whole process groups.
 */
async function stopProcesses(host: Host): Promise<StoppedProcesses> {
  const found = new Map<string, FoundProcess>();
  await sendSignalUntilGone(host, 'TERM', TERM_TO_KILL_MS, found);
  const left = await sendSignalUntilGone(host, 'KILL', KILL_TO_GONE_MS, found);
  const remainingKeys = new Set(left.map(toProcessKey));
  return {
    stopped: [...found.values()].filter((process) => !remainingKeys.has(toProcessKey(process))),
    left,
  };
}

/**
 * Sends the signal to each process once, including processes that appear later. Resolves to the
 * processes that are still running.
 */
async function sendSignalUntilGone(
  host: Host,
  signal: 'TERM' | 'KILL',
  withinMs: number,
  found: Map<string, FoundProcess>,
): Promise<readonly FoundProcess[]> {
  const signalled = new Set<string>();
  const until = performance.now() + withinMs;
  for (;;) {
    const processes = await host.adopt();
    if (processes.length === 0) return [];
    for (const process of processes) {
      const key = toProcessKey(process);
      found.set(key, process);
      // A signal to the agent also reaches its group, so the group is skipped while the agent
      // exists.
      if (signalled.has(key) || (process.role === 'group' && hasAgent(processes, process))) continue;
      signalled.add(key);
      await host.signal(process, signal);
    }
    if (performance.now() >= until) return host.adopt();
    await sleep(STOP_POLL_MS);
  }
}

function hasAgent(processes: readonly FoundProcess[], { worker, attempt }: FoundProcess): boolean {
  return processes.some(
    (each) => each.role === 'agent' && each.worker === worker && each.attempt === attempt,
  );
}

function toProcessKey({ pid, startTime }: FoundProcess): string {
  return `${pid} ${startTime}`;
}

function toProcessData({ worker, attempt, pid }: FoundProcess) {
  return { worker, attempt, pid };
}

function renderDaemonLines(state: string): string[] {
  const daemon = readDaemonFile(state);
  return daemon === undefined || !isRunning(daemon.pid)
    ? []
    : [`The daemon (pid ${daemon.pid}) does not answer. It will apply the halt once it responds.`];
}

function renderProcessLines(stopped: readonly FoundProcess[], left: readonly FoundProcess[]): string[] {
  const filterAgents = (some: readonly FoundProcess[]) => some.filter(({ role }) => role === 'agent');
  const formatList = (some: readonly FoundProcess[]) =>
    some.map(({ worker, pid }) => `${worker} (pid ${pid})`).join(', ');
  const childCount = stopped.length - filterAgents(stopped).length;
  const also = childCount === 0 ? '' : `, and ${childCount} of their child processes`;
  return [
    stopped.length === 0 && left.length === 0 ? 'No workers were running.' : '',
    stopped.length === 0 ? '' : `Stopped: ${formatList(filterAgents(stopped)) || 'no agents'}${also}.`,
    left.length === 0 ? '' : `Still running after SIGKILL: ${formatList(left)}.`,
  ].filter((line) => line !== '');
}

function describeHalt(legion: string): string {
  return `${legion} is halted. After the next \`legion up\`, no workers start until you run \`legion resume\`.`;
}

/**
 * Rejects a legion that is not known on this machine, because its name is probably misspelt. A
 * legion is known if it has run here, was set up by `legion init`, or is specified in this
 * directory's `legion.yaml`.
 */
function requireKnownLegion(location: LegionLocation, { env }: CommandContext): void {
  const { legion } = location.resolved.config;
  if (existsSync(location.state)) return;
  const { states } = location.paths;
  const known = [
    ...listFolders(states).map((folder) => readStartedFrom(join(states, folder))?.legion ?? basename(folder)),
    ...readKnownLegions(env).map((each) => each.legion),
    ...readLocalLegionNames(location),
  ];
  if (known.includes(legion)) return;
  const nearest = findNearest(legion, known);
  const hint = nearest === undefined ? '' : ` Did you mean ${quoteText(nearest)}?`;
  throw new LegionError('legion.unknown', `Unknown legion ${quoteText(legion)} on this machine.${hint}`);
}

function readLocalLegionNames({ file }: LegionLocation): readonly string[] {
  const text = readLegionFile(file.path);
  const name = text.ok ? readLegionName(text.value) : undefined;
  return name === undefined ? [] : [name];
}
