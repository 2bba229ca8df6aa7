/**
 * Opens a real legion with its services in one temporary directory. The loop acts only when a test
 * tells it to.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { loadConfig } from '../../../src/config/legion/resolve.ts';
import { resolveLegionPaths } from '../../../src/config/paths.ts';
import type { Command } from '../../../src/core/model/command.ts';
import type { EventBody } from '../../../src/core/model/event.ts';
import { LegionError, type Result } from '../../../src/core/model/fault.ts';
import { computeSessionId, type IssueId, toWorkerId } from '../../../src/core/model/ids.ts';
import { hasEnded, toLifecycleState } from '../../../src/core/model/lifecycle.ts';
import type { Mode } from '../../../src/core/model/mode.ts';
import type { Status } from '../../../src/core/model/status.ts';
import type { WorkerRecord } from '../../../src/core/state/state.ts';
import { openDaemonContext } from '../../../src/daemon/composition/open-context.ts';
import { openStateFolder } from '../../../src/daemon/composition/open-state-folder.ts';
import type { DaemonContext, DaemonSettings } from '../../../src/daemon/context/daemon-context.ts';
import type { LoopControl } from '../../../src/daemon/loop/control.ts';
import { startLoop } from '../../../src/daemon/loop/loop.ts';
import { createLoopControl } from '../../../src/daemon/loop/loop-control.ts';
import { openServices } from '../../../src/daemon/services/open-services.ts';
import { ALWAYS_FIT } from '../../../src/sim/daemon.ts';
import { git } from '../../ports/forge/git.ts';
import { approveBeforehand, CHECKED_CONFIG, REPOSITORY_CONFIG } from '../../support/checked-repository.ts';
import { markAsDemo } from '../../support/demo-repository.ts';
import { endWorkers } from '../../support/end-workers.ts';
import { REPEATER, SOON } from './repeater.ts';

export interface DeskLegion {
  readonly repository: string;
  readonly world: DaemonContext;
  readonly desks: ReturnType<typeof openServices>;
  /** The services' access to the loop. */
  readonly control: LoopControl;
  /** Issues that were woken; undefined for the whole board. */
  readonly wakes: (IssueId | undefined)[];
  /** Overrides of the configured settings. */
  settings: Partial<DaemonSettings>;
  issue(status: Status, labels?: readonly string[]): Promise<IssueId>;
  /** Claims the next attempt of a worker, as the loop does. */
  dispatched(issue: IssueId, mode: Mode): Promise<{ issue: IssueId; mode: Mode; attempt: number }>;
  /** Finishes the worker's attempt with an accepted report. */
  finished(issue: IssueId, mode: Mode): Promise<void>;
  /** Ends the worker's attempt with a crash. */
  crashed(issue: IssueId, mode: Mode): Promise<void>;
  append(...bodies: EventBody[]): Promise<void>;
  /** Commands ordered for an issue, according to the journal. */
  ordered(issue: IssueId): Promise<readonly Command[]>;
  /**
   * Puts a file at the path of the workspace directory, so that no worker of the issue can start.
   */
  obstruct(issue: IssueId): void;
  /** Stops all workers, so that every slot is free and no process is left. */
  leave(): Promise<void>;
  labels(issue: IssueId): Promise<readonly string[]>;
  comments(issue: IssueId): Promise<readonly { author: string; text: string }[]>;
  /** Opens a pull request with one commit. Resolves to its number and head. */
  pullRequest(
    issue: IssueId,
    files?: Readonly<Record<string, string>>,
  ): Promise<{ number: number; head: string }>;
  commitToBase(files: Readonly<Record<string, string>>): void;
  close(): Promise<void>;
}

const YAML = `legion: demo
agents: { default: { agent: scripted } }
scripted: allowed
dispatch: { stagger: 0s, min_free_disk: 0, min_free_memory: 0 }
limits: { workers: 3 }
approvals: { architect: auto }
health: { grace: 0s, stop_grace: 0s }
`;

const { signal } = new AbortController();

export async function deskLegion(files: Readonly<Record<string, string>> = {}): Promise<DeskLegion> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'legion-desks-')));
  const repository = join(folder, 'repository');
  await git(folder, 'init', '--quiet', '--template=', '--initial-branch=main', repository);
  await markAsDemo(repository);
  mkdirSync(join(repository, '.legion'));
  for (const [name, text] of Object.entries({
    'README.md': 'hello\n',
    '.gitignore': 'legion.yaml\n',
    [REPOSITORY_CONFIG]: CHECKED_CONFIG,
    ...files,
  }))
    writeFileSync(join(repository, name), text);
  await git(repository, 'add', '--all');
  await git(repository, 'commit', '--quiet', '--message', 'First');
  // Detaches HEAD from the base, so that a merge does not have to update checked-out files.
  await git(repository, 'checkout', '--quiet', '--detach');
  const path = join(repository, 'legion.yaml');
  writeFileSync(path, YAML);
  const { PATH } = process.env;
  const environment = {
    PATH,
    HOME: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_DATA_HOME: join(folder, 'data'),
  };
  const { config } = orThrow(loadConfig({ path, named: true }, { flags: [], environment }));
  const paths = orThrow(resolveLegionPaths(environment));
  const wakes: (IssueId | undefined)[] = [];
  let settings: Partial<DaemonSettings> = {};
  const state = openStateFolder(paths.state(config.legion), ['legion']);
  if (files[REPOSITORY_CONFIG] === undefined) approveBeforehand(state.state, 'repository', CHECKED_CONFIG);
  const opened = await openDaemonContext({
    state,
    paths,
    environment,
    folder: repository,
    launcher: ['legion'],
    log: () => undefined,
    config: () => config,
    wake: (issue) => wakes.push(issue),
  });
  // Waits for the first preflight, because its wake-up would otherwise be attributed to the first
  // test.
  await vi.waitFor(() => expect(opened.context.preflight.running()).toBeDefined(), SOON);
  const context: DaemonContext = {
    ...opened.context,
    preflight: ALWAYS_FIT,
    agents: { choicesFor: () => [{ agent: 'scripted' }], readinessOf: () => 'ready' },
    agentOf: () => ({ agent: REPEATER, use: {} }),
    settings: () => ({ ...opened.context.settings(), ...settings }),
  };
  const { ledger, tracker } = context;
  // The loop waits for this promise before it reads the board. The promise never resolves, so that
  // all actions are caused by tests.
  const takenIn = Promise.withResolvers<void>();
  let issues = 0;

  const worker = (issue: IssueId, mode: Mode): WorkerRecord => {
    const found = ledger.state.workers.get(toWorkerId(issue, mode));
    if (found === undefined) throw new Error(`${issue} has no ${mode} worker`);
    return found;
  };

  const ordered: DeskLegion['ordered'] = async (issue) => {
    const commands: Command[] = [];
    for await (const batch of ledger.read(0))
      for (const event of batch)
        if (event.type === 'intent.opened' && event.command.issue === issue) commands.push(event.command);
    return commands;
  };

  async function leave(): Promise<void> {
    const present = [...ledger.state.workers.values()].filter(
      ({ facts }) => !hasEnded(toLifecycleState(facts)),
    );
    await ledger.append(
      present.map(({ issue, mode, attempt }) => ({
        type: 'attempt.stopped',
        issue,
        mode,
        attempt,
        why: 'over',
      })),
    );
    await endWorkers(state.state);
  }

  const loop = startLoop(context, () => takenIn.promise);
  const control = createLoopControl(context, loop);
  const legion: DeskLegion = {
    repository,
    world: context,
    wakes,
    ordered,
    leave,
    control,
    get settings() {
      return settings;
    },
    set settings(given) {
      settings = given;
    },
    desks: openServices(context, control, { version: '1.2.3', pid: 4711, startedAt: 5 }),
    issue(status, labels = []) {
      issues += 1;
      const text = { title: `Issue ${issues}`, body: 'Do it.', priority: 0, blockedBy: [] } as const;
      return tracker.create(`issue ${issues}`, { ...text, status, labels });
    },
    async dispatched(issue, mode) {
      const attempt = (ledger.state.workers.get(toWorkerId(issue, mode))?.attempt ?? 0) + 1;
      const session = computeSessionId(context.legionId, issue, mode, 0);
      const about = { issue, mode, attempt };
      await ledger.append([{ type: 'attempt.dispatched', ...about, session, version: 0, host: 'local' }]);
      return about;
    },
    async finished(issue, mode) {
      const about = { issue, mode, attempt: worker(issue, mode).attempt };
      await ledger.append([
        { type: 'attempt.active', ...about },
        { type: 'attempt.reported', ...about, report: 1, outcome: 'done', summary: 'it is done' },
        { type: 'attempt.report_accepted', ...about, report: 1 },
      ]);
    },
    async crashed(issue, mode) {
      const { attempt } = worker(issue, mode);
      await ledger.append([{ type: 'attempt.crashed', issue, mode, attempt, evidence: ['exit=1'] }]);
    },
    append: async (...bodies) => void (await ledger.append(bodies)),
    obstruct: (issue) => writeFileSync(paths.workspace(config.legion, issue), 'in the way'),
    labels: async (issue) => (await tracker.read(issue, signal))?.labels ?? [],
    comments: (issue) => tracker.commentsSince(issue, 0, signal),
    async pullRequest(issue, changed = { [`${issue}.txt`]: 'work\n' }) {
      const head = commitOn(repository, issue, changed);
      const number = await context.repositories.require(issue).forge.open(issue, {
        title: 'Work',
        body: `Closes ${issue}`,
        draft: false,
        issue,
        author: 'worker',
      });
      return { number, head };
    },
    commitToBase: (changed) => void commitOn(repository, 'main', changed),
    async close() {
      const stopped = loop.stop();
      takenIn.reject(new Error('it is over'));
      await stopped;
      await endWorkers(state.state);
      await opened.close();
      rmSync(folder, { recursive: true });
    },
  };
  // Waits for one event loop turn, after which the loop's other passes are idle.
  await turn();
  return legion;
}

/**
 * Commits on a branch, which starts at the base if it is new. Uses one git process and checks out
 * no files.
 */
function commitOn(repository: string, branch: string, files: Readonly<Record<string, string>>): string {
  const ref = `refs/heads/${branch}`;
  const run = (args: string[], input?: string) =>
    execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8', input }).trim();
  const [from = ''] = run(['for-each-ref', '--format=%(objectname) %(refname)', ref, 'refs/heads/main'])
    .split('\n')
    .sort((one) => (one.endsWith(` ${ref}`) ? -1 : 1))
    .map((line) => line.split(' ')[0] ?? '');
  const changes = Object.entries(files).map(
    ([path, text]) => `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}`,
  );
  const by = 'Worker <worker@example.org> now';
  run(
    ['fast-import', '--quiet', '--date-format=now'],
    `commit ${ref}\ncommitter ${by}\ndata 4\nWork\nfrom ${from}\n${changes.join('\n')}\n`,
  );
  return run(['rev-parse', ref]);
}

function orThrow<T>(result: Result<T>): T {
  if (!result.ok) throw new LegionError(result.fault.code, result.fault.message);
  return result.value;
}
