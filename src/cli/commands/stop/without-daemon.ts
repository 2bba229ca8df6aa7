/** Stops every recorded attempt of a legion whose daemon does not answer, and leaves a halt for the next one. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FoundProcess, Host } from '../../../hosts/host.ts';
import { openLocalHost } from '../../../hosts/local/local-host.ts';
import { writeDurably } from '../../../lib/fs/atomic-write.ts';
import { makeFolderDurably } from '../../../lib/fs/folder.ts';
import { isRunning } from '../../../lib/process/proc-table.ts';
import { HALT_FILE, type HaltFile } from '../../../protocol/halt-file.ts';
import { readDaemonFile } from '../../daemon-address.ts';
import { withProgress } from '../../present/progress.ts';
import type { CommandResult, CommandSession } from '../../program/daemon-command.ts';
import { requireKnownLegion } from './require-known-legion.ts';

/** The stop ladder after the question, which nobody could answer without a daemon. */
const TERM_TO_KILL_MS = 10_000;
const KILL_TO_GONE_MS = 2_000;
const LOOK_MS = 100;

/** Something of a worker survived SIGKILL. */
const EXIT_SURVIVED = 1;

export async function stopWithoutDaemon(session: CommandSession, why: string): Promise<CommandResult> {
  const { place, by, context } = session;
  const { legion } = place.resolved.config;
  requireKnownLegion(place, context);
  const hasRun = existsSync(place.state);
  // Before the first signal: a daemon that starts meanwhile must find the legion halted.
  await leaveHalt(place.state, { by, why, at: Date.now() });
  const host = await openLocalHost({ folder: join(place.state, 'host'), legion, environment: context.env });
  const { stopped, left } = await withProgress(context, `stopping the workers of ${legion}`, () =>
    stopProcesses(host),
  );
  const unknown = hasRun ? [] : [`${legion} has never run here.`];
  const text = [
    ...unknown,
    ...daemonLines(place.state),
    ...processLines(stopped, left),
    afterwards(legion),
  ].join('\n');
  const shown = { stopped: stopped.map(toShown), left: left.map(toShown) };
  return { data: { legion, halted: true, ...shown }, text, exit: left.length === 0 ? 0 : EXIT_SURVIVED };
}

/** Keeps an earlier halt that no daemon has read yet, so that the first reason counts, as with a daemon. */
async function leaveHalt(state: string, halt: HaltFile): Promise<void> {
  const path = join(state, HALT_FILE);
  if (existsSync(path)) return;
  await makeFolderDurably(state);
  await writeDurably(path, `${JSON.stringify(halt)}\n`);
}

interface StoppedProcesses {
  readonly stopped: readonly FoundProcess[];
  readonly left: readonly FoundProcess[];
}

/** The host checks the identity of each process again right before each signal, and signals whole groups. */
async function stopProcesses(host: Host): Promise<StoppedProcesses> {
  const seen = new Map<string, FoundProcess>();
  await signalUntilGone(host, 'TERM', TERM_TO_KILL_MS, seen);
  const left = await signalUntilGone(host, 'KILL', KILL_TO_GONE_MS, seen);
  const stays = new Set(left.map(keyOf));
  return { stopped: [...seen.values()].filter((process) => !stays.has(keyOf(process))), left };
}

/** Each process gets the signal once, also one that turns up later. Resolves to those that are left. */
async function signalUntilGone(
  host: Host,
  signal: 'TERM' | 'KILL',
  withinMs: number,
  seen: Map<string, FoundProcess>,
): Promise<readonly FoundProcess[]> {
  const signalled = new Set<string>();
  const until = performance.now() + withinMs;
  for (;;) {
    const found = await host.adopt();
    if (found.length === 0) return [];
    for (const process of found) {
      const key = keyOf(process);
      seen.set(key, process);
      // The group of an agent that is still there gets the signal with it.
      if (signalled.has(key) || (process.role === 'group' && hasAgent(found, process))) continue;
      signalled.add(key);
      await host.signal(process, signal);
    }
    if (performance.now() >= until) return host.adopt();
    await sleep(LOOK_MS);
  }
}

function hasAgent(found: readonly FoundProcess[], { worker, attempt }: FoundProcess): boolean {
  return found.some((each) => each.role === 'agent' && each.worker === worker && each.attempt === attempt);
}

function keyOf({ pid, startTime }: FoundProcess): string {
  return `${pid} ${startTime}`;
}

function toShown({ worker, attempt, pid }: FoundProcess) {
  return { worker, attempt, pid };
}

function daemonLines(state: string): string[] {
  const daemon = readDaemonFile(state);
  return daemon === undefined || !isRunning(daemon.pid)
    ? []
    : [`The daemon (pid ${daemon.pid}) does not answer; it takes in the halt when it does.`];
}

function processLines(stopped: readonly FoundProcess[], left: readonly FoundProcess[]): string[] {
  const agents = (some: readonly FoundProcess[]) => some.filter(({ role }) => role === 'agent');
  const listed = (some: readonly FoundProcess[]) =>
    some.map(({ worker, pid }) => `${worker} (pid ${pid})`).join(', ');
  const others = stopped.length - agents(stopped).length;
  const also = others === 0 ? '' : `, and ${others} of their child processes`;
  return [
    stopped.length === 0 && left.length === 0 ? 'No worker was running.' : '',
    stopped.length === 0 ? '' : `Stopped: ${listed(agents(stopped)) || 'no agent'}${also}.`,
    left.length === 0 ? '' : `Still there after SIGKILL: ${listed(left)}.`,
  ].filter((line) => line !== '');
}

function afterwards(legion: string): string {
  return `${legion} is halted: after the next \`legion up\` no worker starts until \`legion resume\`.`;
}
