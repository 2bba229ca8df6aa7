/** The composition root: takes a legion over, opens its door, runs until it is told to end, and puts everything away. */

import { dirname, join } from 'node:path';
import { needsRestart } from '../config/legion/changes.ts';
import type { Given } from '../config/legion/given.ts';
import { type LegionFile, loadConfig } from '../config/legion/load.ts';
import { legionPaths } from '../config/paths.ts';
import { watchConfig } from '../config/watch.ts';
import type { Fault } from '../core/model/fault.ts';
import { LegionError } from '../core/model/fault.ts';
import type { Environment } from '../domain/environment.ts';
import { MODES } from '../domain/mode.ts';
import { serveHttp } from '../http/serve.ts';
import { systemClock } from '../lib/async/system-clock.ts';
import { unwrap } from '../lib/result.ts';
import type { DaemonFile } from '../protocol/daemon-file.ts';
import type { HealthView } from '../protocol/operator.ts';
import { refuseOtherRepository } from './compose-origin.ts';
import { wantedViews } from './compose-views.ts';
import { openWorld } from './compose-world.ts';
import { lockLegion } from './composition/instance-lock.ts';
import { makeStateFolder, openStateFolder } from './composition/open-state-folder.ts';
import type { Daemon } from './daemon.ts';
import { openDesks } from './desks/open-desks.ts';
import { haltLegion, journalHalt } from './halt.ts';
import { type Loop, startLoop } from './loop.ts';
import { loopControl } from './loop-control.ts';
import { warningsAfter } from './merging/auto-merge-warnings.ts';
import { inOrder } from './outbox/in-order.ts';
import { OutboxIntake } from './outbox/outbox-intake.ts';
import { openSpeech } from './speech/speech.ts';
import { stopWorkersAtEnd } from './stop-at-end.ts';
import { takeInHaltFile } from './take-in-halt-file.ts';
import { watchViews } from './views.ts';
import { watchOutboxes } from './worker-api/outbox-import/watch-outboxes.ts';
import type { World } from './world.ts';

export interface DaemonOptions {
  readonly file: LegionFile;
  readonly flags: readonly Given[];
  readonly environment: Environment;
  /** The command that starts Legion: workers are given it. */
  readonly launcher: readonly [string, ...string[]];
  readonly version: string;
  /** The folder of the built dashboard; undefined while there is none. */
  readonly pages?: () => string | undefined;
  /** Ends the daemon; workers go on. */
  readonly signal: AbortSignal;
  readonly onReady: (file: DaemonFile) => void;
  /** One line of the log. */
  readonly log: (what: object, message: string) => void;
}

/** Resolves when everything is put away; `restart`: a successor is wanted. */
export async function runDaemon(options: DaemonOptions): Promise<'stopped' | 'restart'> {
  const { file, flags, environment, launcher, log } = options;
  const resolved = unwrap(loadConfig(file, { flags, environment }));
  const { legion } = resolved.config;
  const paths = unwrap(legionPaths(environment));
  const folder = paths.state(legion);
  makeStateFolder(folder);
  const unlock = lockLegion(folder, legion);
  const ended = Promise.withResolvers<DaemonEnd>();
  // Waited for only once everything is open; until then nobody else would hear of a rejection.
  ended.promise.catch(() => undefined);
  const onAbort = () => ended.resolve({ how: 'stopped' });
  options.signal.addEventListener('abort', onAbort, { once: true });
  const closing: (() => unknown)[] = [unlock];
  try {
    if (file.named) await refuseOtherRepository(folder, { legion, file: file.path, environment });
    // Only now: the daemon that holds the lock keeps its token.
    const state = openStateFolder(folder, launcher, environment);
    let loop: Loop | undefined;
    let reportAgents: () => void = () => undefined;
    let refusedAt = 0;
    const watch = watchConfig(file.path, { flags, environment }, resolved, {
      changed(_, { keys }) {
        reportAgents();
        const later = keys.filter(needsRestart);
        log(
          { keys },
          later.length > 0 ? `reloaded; ${later.join(', ')} need \`legion restart\`` : 'reloaded',
        );
        loop?.wake();
      },
      refused(fault) {
        refusedAt = systemClock.now();
        log({ code: fault.code }, `legion.yaml was not taken over: ${fault.message}`);
      },
    });
    closing.push(() => watch.close());
    const { world, repositories, receivers, consent, close } = await openWorld({
      ...{ state, paths, environment, launcher, tell: log },
      config: () => watch.current().config,
      folder: dirname(file.path),
      wake: (issue) => loop?.wake(issue),
    });
    closing.push(close);
    reportAgents = () => {
      reportMissingAgents(world);
      consent.report();
    };
    reportAgents();
    // Whoever was replaced has nothing left to do; its successor has the workers and the journal.
    world.ledger.fenced.addEventListener('abort', () => ended.reject(world.ledger.fenced.reason), {
      once: true,
    });
    const speech = openSpeech(world);
    const intake = new OutboxIntake(world, speech);
    // Before the loop, which would take the workers that were stopped without a daemon for crashed.
    await takeInHaltFile(state.state, async (order) => {
      await intake.takeInAll();
      await journalHalt(world, order);
    });
    loop = startLoop(world, async () => {
      await repositories.refresh();
      await intake.takeInDue();
      await takeInHaltFile(state.state, (order) => haltLegion(world, running.performer, order));
    });
    const running = loop;
    const stopLoop = once(() => running.stop());
    closing.push(stopLoop);
    closing.push(watchOutboxes(world, (outbox) => void intake.takeInOne(outbox)));
    closing.push(
      world.ledger.subscribe((events) => {
        for (const warning of warningsAfter(world.ledger.swarm, events)) void running.order(warning);
      }),
    );
    closing.push(world.board?.subscribe((issue) => running.wake(issue)) ?? (() => undefined));
    for (const { forge } of repositories.all) closing.push(forge.subscribe((branch) => running.wake(branch)));

    const info = { version: options.version, pid: process.pid, startedAt: world.clock.now() };
    const desks = openDesks(world, loopControl(world, loop), info, receivers);
    const daemon: Daemon = {
      legion,
      ...desks,
      // Asked for each time: a file that is mended to what it was before is no change anybody hears of.
      health: () => withFault(desks.health(), watch.fault(), refusedAt),
      speech: inOrder(world, speech, (outbox) => intake.takeInOne(outbox)),
      shutdown(how, stopBy) {
        // Read now: the watch may not have seen the newest text, and a successor would refuse it.
        if (how === 'restart') unwrap(loadConfig(file, { flags, environment }));
        ended.resolve({ how: how === 'restart' ? 'restart' : 'stopped', stopBy });
      },
    };
    const door = await serveHttp(daemon, {
      port: resolved.config.port,
      socket: state.socket,
      token: state.token,
      clock: world.clock,
      ...(options.pages !== undefined && { pages: options.pages }),
      sessionsFile: join(state.state, 'sessions.json'),
      onError: (error) => world.troubles.raise('http', error),
    });
    closing.push(() => door.close());
    // Before the door: a report that waits for its gate would keep the door open.
    closing.push(() => world.gates.close());
    const announced = {
      legion,
      url: door.url,
      socket: state.socket,
      pid: info.pid,
      startedAt: info.startedAt,
      version: info.version,
    };
    state.announce(announced);
    if (file.named) state.recordOrigin({ legion, file: file.path, at: info.startedAt });
    closing.push(() => state.withdraw(info.pid));
    // Only now: what runs in a window asks at the door.
    const wanted = wantedViews({ config: () => watch.current().config, file, launcher, environment });
    closing.push(watchViews(world, wanted));
    log({ url: door.url, legion }, 'ready');
    options.onReady(announced);
    if (options.signal.aborted) onAbort();
    const { how, stopBy } = await ended.promise;
    if (stopBy !== undefined) await stopWorkersAtEnd(world, running, stopBy, stopLoop);
    return how;
  } finally {
    options.signal.removeEventListener('abort', onAbort);
    // The door first, so that nothing new comes in; the journal and the lock last.
    for (const close of closing.toReversed()) await close();
    log({}, 'ended');
  }
}

interface DaemonEnd {
  readonly how: 'stopped' | 'restart';
  /** Who wants every worker to be stopped before; absent where they keep running. */
  readonly stopBy?: string | undefined;
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

function withFault(health: HealthView, fault: Fault | undefined, since: number): HealthView {
  if (fault === undefined) return health;
  const { code, message, next } = fault;
  return { ...health, ok: false, troubles: [...health.troubles, { code, message, next, since }] };
}

const ABOUT = 'agents';

/** Reports all modes without an agent as one problem. */
function reportMissingAgents({ agents, troubles }: Pick<World, 'agents' | 'troubles'>): void {
  const modes = MODES.filter((mode) => agents.choicesFor(mode).length === 0);
  if (modes.length === 0) {
    troubles.clear(ABOUT);
    return;
  }
  const where = modes.length === MODES.length ? '' : ` for ${modes.join(', ')}`;
  troubles.raise(ABOUT, new LegionError('agent.not_chosen', `No agent is chosen${where}: no worker starts.`));
}
