/** A real legion with its desks in one temporary folder; its loop does what it is told and nothing by itself. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { loadConfig } from '../../../src/config/legion/load.ts';
import { legionPaths } from '../../../src/config/paths.ts';
import type { Command } from '../../../src/core/model/command.ts';
import type { EventBody } from '../../../src/core/model/event.ts';
import { LegionError, type Result } from '../../../src/core/model/fault.ts';
import { type IssueId, sessionId, workerId } from '../../../src/core/model/ids.ts';
import type { Status } from '../../../src/core/model/status.ts';
import type { WorkerRecord } from '../../../src/core/state/state.ts';
import { openWorld } from '../../../src/daemon/compose-world.ts';
import { openStateFolder } from '../../../src/daemon/composition/open-state-folder.ts';
import type { Control } from '../../../src/daemon/control.ts';
import { openDesks } from '../../../src/daemon/desks/open-desks.ts';
import { startLoop } from '../../../src/daemon/loop.ts';
import { loopControl } from '../../../src/daemon/loop-control.ts';
import { ALWAYS_FIT } from '../../../src/daemon/preflight/always-fit.ts';
import type { Settings } from '../../../src/daemon/settings.ts';
import type { World } from '../../../src/daemon/world.ts';
import { hasEnded, lifecycleOf } from '../../../src/domain/lifecycle.ts';
import type { Mode } from '../../../src/domain/mode.ts';
import { git } from '../../ports/forge/git.ts';
import { approveBeforehand, CHECKED_CONFIG, REPOSITORY_CONFIG } from '../../support/checked-repository.ts';
import { markAsDemo } from '../../support/demo-repository.ts';
import { endWorkersOf } from '../../support/end-workers.ts';
import { REPEATER, SOON } from './repeater.ts';

export interface DeskLegion {
  readonly repository: string;
  readonly world: World;
  readonly desks: ReturnType<typeof openDesks>;
  /** The desks' way to the loop. */
  readonly control: Control;
  /** What the loop would have looked at again. */
  readonly wakes: (IssueId | undefined)[];
  /** Laid over what the configuration says. */
  settings: Partial<Settings>;
  issue(status: Status, labels?: readonly string[]): Promise<IssueId>;
  /** The next attempt of a worker, claimed as the loop does it. */
  dispatched(issue: IssueId, mode: Mode): Promise<{ issue: IssueId; mode: Mode; attempt: number }>;
  /** Its attempt is finished: reported and accepted. */
  finished(issue: IssueId, mode: Mode): Promise<void>;
  /** Its life has ended in a crash. */
  crashed(issue: IssueId, mode: Mode): Promise<void>;
  append(...bodies: EventBody[]): Promise<void>;
  /** What was to be carried out for an issue, as the journal has it. */
  ordered(issue: IssueId): Promise<readonly Command[]>;
  /** Puts something foreign where its workspace belongs: no worker of it can be started. */
  obstruct(issue: IssueId): void;
  /** Whoever is at work has left: every place is free and no process is there any more. */
  leave(): Promise<void>;
  labels(issue: IssueId): Promise<readonly string[]>;
  comments(issue: IssueId): Promise<readonly { author: string; text: string }[]>;
  /** A pull request of one commit; resolves to its number and head. */
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
  // The base stays out of the way: a merge need not move any checked out files.
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
  const paths = orThrow(legionPaths(environment));
  const wakes: (IssueId | undefined)[] = [];
  let settings: Partial<Settings> = {};
  const state = openStateFolder(paths.state(config.legion), ['legion']);
  if (files[REPOSITORY_CONFIG] === undefined) approveBeforehand(state.state, 'repository', CHECKED_CONFIG);
  const opened = await openWorld({
    ...{ state, paths, environment, folder: repository, launcher: ['legion'], tell: () => undefined },
    config: () => config,
    wake: (issue) => wakes.push(issue),
  });
  // Its first look wakes the loop, which would count as the doing of the first test.
  await vi.waitFor(() => expect(opened.world.preflight.running()).toBeDefined(), SOON);
  const world: World = {
    ...opened.world,
    preflight: ALWAYS_FIT,
    agents: { choicesFor: () => [{ agent: 'scripted' }], readinessOf: () => 'ready' },
    agentOf: () => ({ agent: REPEATER, use: {} }),
    settings: () => ({ ...opened.world.settings(), ...settings }),
  };
  const { ledger, tracker } = world;
  // The loop looks at the board once it has taken in what came: that never ends here, so that only tests make something happen.
  const takenIn = Promise.withResolvers<void>();
  let issues = 0;

  const worker = (issue: IssueId, mode: Mode): WorkerRecord => {
    const found = ledger.swarm.workers.get(workerId(issue, mode));
    if (found === undefined) throw new Error(`there is no ${mode} worker of ${issue}`);
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
    const present = [...ledger.swarm.workers.values()].filter(({ facts }) => !hasEnded(lifecycleOf(facts)));
    await ledger.append(
      present.map(({ issue, mode, attempt }) => ({
        ...{ type: 'attempt.stopped', issue, mode, attempt, why: 'over' },
      })),
    );
    await endWorkersOf(state.state);
  }

  const loop = startLoop(world, () => takenIn.promise);
  const control = loopControl(world, loop);
  const legion: DeskLegion = {
    ...{ repository, world, wakes, ordered, leave, control },
    get settings() {
      return settings;
    },
    set settings(given) {
      settings = given;
    },
    desks: openDesks(world, control, { version: '1.2.3', pid: 4711, startedAt: 5 }),
    issue(status, labels = []) {
      issues += 1;
      const text = { title: `Issue ${issues}`, body: 'Do it.', priority: 0, blockedBy: [] } as const;
      return tracker.create(`issue ${issues}`, { ...text, status, labels });
    },
    async dispatched(issue, mode) {
      const attempt = (ledger.swarm.workers.get(workerId(issue, mode))?.attempt ?? 0) + 1;
      const session = sessionId(world.legionId, issue, mode, 0);
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
      const number = await world.repositories.of(issue).forge.open(issue, {
        ...{ title: 'Work', body: `Closes ${issue}`, draft: false, issue, author: 'worker' },
      });
      return { number, head };
    },
    commitToBase: (changed) => void commitOn(repository, 'main', changed),
    async close() {
      const stopped = loop.stop();
      takenIn.reject(new Error('it is over'));
      await stopped;
      await endWorkersOf(state.state);
      await opened.close();
      rmSync(folder, { recursive: true });
    },
  };
  // Its other passes have nothing to do: after a turn they rest.
  await turn();
  return legion;
}

/** A commit on a branch, which begins at the base where it is new: one process, and no files to check out. */
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
