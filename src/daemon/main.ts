/**
 * Composition root: takes over a legion, starts its HTTP server, runs until the daemon has to stop
 * and closes everything.
 */
import { dirname, join } from 'node:path';
import { type LegionFile, loadConfig } from '../config/legion/resolve.ts';
import type { RawSetting } from '../config/legion/settings.ts';
import { resolveLegionPaths } from '../config/paths.ts';
import { isRestartRequired, watchConfig } from '../config/watch.ts';
import type { EnvironmentVariables } from '../core/model/environment.ts';
import type { EventBody } from '../core/model/event.ts';
import { type Fault, LegionError } from '../core/model/fault.ts';
import type { IssueId } from '../core/model/ids.ts';
import { MODES } from '../core/model/mode.ts';
import type { LegionState } from '../core/state/state.ts';
import { serveHttp } from '../http/serve.ts';
import { systemClock } from '../lib/async/system-clock.ts';
import { unwrap } from '../lib/result.ts';
import type { DaemonFile } from '../protocol/state-files.ts';
import type { HealthView } from '../protocol/status.ts';
import { lockLegion, refuseOtherRepository } from './composition/instance-lock.ts';
import { createWorkerTerminals } from './composition/open-agents.ts';
import { openDaemonContext } from './composition/open-context.ts';
import { makeStateFolder, openStateFolder } from './composition/open-state-folder.ts';
import type { DaemonContext, StateContext } from './context/daemon-context.ts';
import type { Daemon } from './daemon.ts';
import { haltLegion, importHaltFile, recordHalt } from './loop/halt.ts';
import { type ReconcileLoop, startLoop } from './loop/loop.ts';
import { createLoopControl } from './loop/loop-control.ts';
import { findAutoMergeWarnings } from './merging/auto-merge-warnings.ts';
import { describePace } from './present/pace.ts';
import { openServices } from './services/open-services.ts';
import { watchTerminals } from './supervisor/watch-terminals.ts';
import { OutboxImporter, withOutboxImport } from './worker-api/outbox-import/outbox-importer.ts';
import { watchOutboxes } from './worker-api/outbox-import/watch-outboxes.ts';
import { createWorkerApi } from './worker-api/worker-api.ts';

export interface DaemonOptions {
  readonly file: LegionFile;
  readonly flags: readonly RawSetting[];
  readonly environment: EnvironmentVariables;
  /** Command that starts Legion. Passed to workers. */
  readonly launcher: readonly [string, ...string[]];
  readonly version: string;
  /** Directory of the built dashboard. Undefined until it is built. */
  readonly pages?: () => string | undefined;
  /** Stops the daemon. Workers keep running. */
  readonly signal: AbortSignal;
  readonly onReady: (file: DaemonFile) => void;
  /** Writes one log line. */
  readonly log: (what: object, message: string) => void;
}

/** Resolves after everything is closed. `restart` means that a successor should start. */
export async function runDaemon(options: DaemonOptions): Promise<'stopped' | 'restart'> {
  const { file, flags, environment, launcher, log } = options;
  const resolved = unwrap(loadConfig(file, { flags, environment }));
  const { legion } = resolved.config;
  const paths = unwrap(resolveLegionPaths(environment));
  const folder = paths.state(legion);
  makeStateFolder(folder);
  const unlock = lockLegion(folder, legion);
  const ended = Promise.withResolvers<DaemonEnd>();
  // The promise is awaited only after everything is open. A rejection before that would be
  // unhandled.
  ended.promise.catch(() => undefined);
  const onAbort = () => ended.resolve({ how: 'stopped' });
  options.signal.addEventListener('abort', onAbort, { once: true });
  const closing: (() => unknown)[] = [unlock];
  try {
    if (file.named) await refuseOtherRepository(folder, { legion, file: file.path, environment });
    // The state directory is opened only while the lock is held: opening it replaces the token, and
    // a daemon that is already running must keep its token.
    const state = openStateFolder(folder, launcher, environment);
    let loop: ReconcileLoop | undefined;
    let reportAgents: () => void = () => undefined;
    let refusedAt = 0;
    let isRestarting = false;
    const watch = watchConfig(file.path, { flags, environment }, resolved, {
      changed(_, { keys }) {
        reportAgents();
        const later = keys.filter(isRestartRequired);
        log(
          { keys },
          later.length > 0 ? `reloaded; ${later.join(', ')} need \`legion restart\`` : 'reloaded',
        );
        loop?.wake();
      },
      refused(fault) {
        refusedAt = systemClock.now();
        log({ code: fault.code }, `legion.yaml was rejected: ${fault.message}`);
      },
    });
    closing.push(() => watch.close());
    const { context, repositories, receivers, consent, close } = await openDaemonContext({
      state,
      paths,
      environment,
      launcher,
      log,
      config: () => watch.current().config,
      folder: dirname(file.path),
      wake: (issue) => loop?.wake(issue),
    });
    closing.push(close);
    reportAgents = () => {
      reportMissingAgents(context);
      consent.report();
    };
    reportAgents();
    // A daemon that has been replaced stops here, because its successor owns the workers and the
    // journal.
    context.ledger.fenced.addEventListener('abort', () => ended.reject(context.ledger.fenced.reason), {
      once: true,
    });
    const workerApi = createWorkerApi(context);
    const outboxImporter = new OutboxImporter(context, workerApi);
    // Must run before the loop, which would treat workers that were stopped while no daemon was
    // running as crashed.
    await importHaltFile(state.state, async (order) => {
      await outboxImporter.importAll();
      await recordHalt(context, order);
    });
    loop = startLoop(
      context,
      async () => {
        await repositories.refresh();
        await outboxImporter.importDue();
        await importHaltFile(state.state, (order) => haltLegion(context, running.performer, order));
      },
      (pace) => log({ ...pace }, describePace(pace)),
    );
    const running = loop;
    const stopLoop = createOnce(() => running.stop());
    closing.push(stopLoop);
    closing.push(watchOutboxes(context, (outbox) => void outboxImporter.importOne(outbox)));
    closing.push(
      context.ledger.subscribe((events) => {
        const repositoryOf = (issue: IssueId) => repositories.find(issue)?.name;
        for (const warning of findAutoMergeWarnings(context.ledger.state, events, repositoryOf))
          void running.execute(warning);
      }),
    );
    closing.push(context.board?.subscribe((issue) => running.wake(issue)) ?? (() => undefined));
    for (const { forge } of repositories.all) closing.push(forge.subscribe((branch) => running.wake(branch)));

    const info = { version: options.version, pid: process.pid, startedAt: context.clock.now() };
    const services = openServices(context, createLoopControl(context, loop), info, receivers);
    const daemon: Daemon = {
      legion,
      ...services,
      // The configuration fault is read on every call, because restoring the previous file contents
      // emits no change event.
      health: () => withConfigFault(services.health(), watch.fault(), refusedAt),
      workerApi: withOutboxImport(context, workerApi, (outbox) => outboxImporter.importOne(outbox)),
      shutdown(how, stopBy) {
        // The file is read now, because the watcher may lag behind, and the successor would refuse
        // to start with an invalid file.
        if (how === 'restart') unwrap(loadConfig(file, { flags, environment }));
        ended.resolve({ how: how === 'restart' ? 'restart' : 'stopped', stopBy });
      },
    };
    const server = await serveHttp(daemon, {
      port: resolved.config.port,
      socket: state.socket,
      token: state.token,
      clock: context.clock,
      ...(options.pages !== undefined && { pages: options.pages }),
      sessionsFile: join(state.state, 'sessions.json'),
      onError: (error) => context.problems.report('http', error),
    });
    closing.push(() => server.close());
    // The gates are closed before the HTTP server. Otherwise the server would wait for a report
    // that is itself waiting for its gate.
    closing.push(() => context.gates.close());
    const announced = {
      legion,
      url: server.url,
      socket: state.socket,
      pid: info.pid,
      startedAt: info.startedAt,
      version: info.version,
    };
    state.announce(announced);
    if (file.named) state.recordOrigin({ legion, file: file.path, at: info.startedAt });
    closing.push(() => state.withdraw(info.pid, isRestarting ? 'restart' : 'final'));
    // Terminals are opened last, because they query the HTTP server.
    const wanted = createWorkerTerminals({
      config: () => watch.current().config,
      file,
      launcher,
      environment,
    });
    closing.push(watchTerminals(context, wanted));
    log({ url: server.url, legion }, 'ready');
    options.onReady(announced);
    if (options.signal.aborted) onAbort();
    const { how, stopBy } = await ended.promise;
    isRestarting = how === 'restart';
    if (stopBy !== undefined) await stopWorkersAtEnd(context, running, stopBy, stopLoop);
    return how;
  } finally {
    options.signal.removeEventListener('abort', onAbort);
    // Closes in reverse order. The HTTP server is closed before the parts it uses, so that no new
    // request arrives; the journal and the lock are closed last.
    for (const close of closing.toReversed()) await close();
    log({}, 'ended');
  }
}

interface DaemonEnd {
  readonly how: 'stopped' | 'restart';
  /** Name of the person who wants every worker stopped first. Absent if workers keep running. */
  readonly stopBy?: string | undefined;
}

function createOnce(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

function withConfigFault(health: HealthView, fault: Fault | undefined, since: number): HealthView {
  if (fault === undefined) return health;
  const { code, message, next } = fault;
  return { ...health, ok: false, troubles: [...health.troubles, { code, message, next, since }] };
}

const MISSING_AGENTS_PROBLEM = 'agents';

/** Reports all modes without an agent as one problem. */
function reportMissingAgents({ agents, problems }: Pick<DaemonContext, 'agents' | 'problems'>): void {
  const modes = MODES.filter((mode) => agents.choicesFor(mode).length === 0);
  if (modes.length === 0) {
    problems.resolve(MISSING_AGENTS_PROBLEM);
    return;
  }
  const where = modes.length === MODES.length ? '' : ` for ${modes.join(', ')}`;
  problems.report(
    MISSING_AGENTS_PROBLEM,
    new LegionError('agent.not_chosen', `No agent is chosen${where}: no worker starts.`),
  );
}

/**
 * Time for a merge, which may spend a minute in git, and then for SIGTERM, a wait of 10 s, SIGKILL
 * and a drain.
 */
const STOP_LIMIT_MS = 75_000;

/**
 * Stops every worker before the daemon exits. The next daemon resumes their sessions. Halts the
 * legion to prevent new starts, and lifts the halt once the loop has ended. If the daemon is killed
 * before that, the legion stays halted, which people can see and end with `legion resume`.
 */
async function stopWorkersAtEnd(
  context: StateContext,
  loop: ReconcileLoop,
  by: string,
  stopLoop: () => Promise<void>,
): Promise<void> {
  const before = context.ledger.state.breaker.open;
  const { settled } = await haltLegion(context, loop.performer, { by, why: 'legion down --stop' });
  const late = new AbortController();
  await Promise.race([settled, context.clock.sleep(STOP_LIMIT_MS, late.signal).catch(() => undefined)]);
  late.abort();
  await stopLoop();
  if (before?.kind !== 'halt') await context.ledger.append((state) => buildHaltReversal(state, before, by));
}

/** Ends the halt, but restores a pause that was set before it. */
function buildHaltReversal(
  { breaker }: LegionState,
  before: LegionState['breaker']['open'],
  by: string,
): EventBody[] {
  const closed: EventBody = { type: 'breaker.closed', breaker: breaker.serial, by };
  if (before?.kind !== 'pause') return [closed];
  const { kind, why } = before;
  return [closed, { type: 'breaker.opened', breaker: breaker.serial + 1, kind, why, by: before.by }];
}
