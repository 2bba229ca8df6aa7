/** The forge that needs no service: branches of a git repository on this machine, and records beside it. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Fault, LegionError } from '../../core/model/fault.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Environment } from '../../domain/environment.ts';
import { comparison } from '../../integrations/forge-support/compare.ts';
import { branchRef, openRepository, type Repository } from '../../integrations/forge-support/repository.ts';
import { checkouts } from '../../integrations/local/forge/checkout.ts';
import { type CiOptions, ci } from '../../integrations/local/forge/ci.ts';
import { push } from '../../integrations/local/forge/push.ts';
import { findPullRequest, readPullRequests, remarksOf } from '../../integrations/local/forge/read.ts';
import { recordShelf } from '../../integrations/local/forge/records.ts';
import { createEmitter } from '../../lib/async/emitter.ts';
import type { Forge } from '../../ports/forge.ts';
import { changesSince } from '../changes-since.ts';
import { complaints } from '../complaints.ts';
import { unavailable } from '../faults.ts';
import { whileHeld } from '../hold.ts';
import { type Identity, identityOf } from '../identity.ts';
import { listChecks, readCheckLog } from './checks.ts';
import { ciResults } from './ci-results.ts';
import type { Desk } from './desk.ts';
import { merge } from './merge.ts';
import { obstaclesTo } from './obstacles-to.ts';
import { revert } from './revert.ts';
import { settleAll } from './settle.ts';
import { sweep } from './sweep.ts';
import * as write from './write.ts';

export interface LocalForgeOptions {
  /** A bare repository, or the folder of an ordinary one. */
  readonly repository: string;
  /** The branch pull requests are merged into. */
  readonly base: string;
  /** Where records, results of CI and checkouts are kept; one folder for each repository. */
  readonly state: string;
  readonly identity: Identity;
  readonly clock: Clock;
  /** What git is given of it is chosen by name. */
  readonly environment: Environment;
  /** Absent where the repository has no CI. */
  readonly ci?: CiOptions;
  /** Told, once each, of what was set aside so that the rest could go on. */
  readonly onFault?: (fault: Fault) => void;
}

/** The longest honest call is the fetch of a large branch from a local disk; beyond this git waits for something. */
const GIT_LIMIT_MS = 60_000;

/** In the repository itself: other state folders and other legions share it. */
const LOCK = 'legion-forge.lock';

export async function openLocalForge(options: LocalForgeOptions): Promise<Forge> {
  const { clock } = options;
  const folders = makeFolders(resolve(options.state));
  const repository = await openWithBase(options);
  const complain = complaints('local forge', options.onFault);
  const news = createEmitter<string>();
  const spare = checkouts(repository, folders.checkouts);
  const desk: Desk = {
    repository,
    clock,
    complain,
    records: recordShelf(folders.pullRequests),
    comparison: comparison(repository),
    identity: identityOf(options.identity),
    ci: ci({
      options: options.ci,
      results: ciResults(folders.ci),
      checkouts: spare,
      clock,
      tell: news.emit,
      complain,
    }),
  };
  let open = true;

  /** One after the other, for all processes: what one reads before it writes must still hold when it writes. */
  async function alone<T>(work: () => Promise<T>): Promise<T> {
    refuseClosed();
    return whileHeld(join(repository.gitDir, LOCK), clock, work);
  }

  function refuseClosed(): void {
    if (!open) throw new LegionError('forge.closed', `${options.repository}: used after it was closed`);
  }

  await alone(async () => {
    await sweep(folders.pullRequests, folders.ci, clock.now());
    await spare.sweep();
    for (const fault of (await desk.records.all()).broken) complain(fault);
    await settleAll(desk);
  }).catch((error: unknown) => {
    repository.close();
    throw error;
  });

  return {
    kind: 'local',
    async pullRequests(branches, signal) {
      refuseClosed();
      return readPullRequests(desk, branches, signal);
    },
    async changesSince(shas, at, signal) {
      refuseClosed();
      return changesSince(repository, desk.comparison, shas, at, signal);
    },
    async checks(sha) {
      refuseClosed();
      return listChecks(desk.ci, sha);
    },
    async checkLog(sha) {
      refuseClosed();
      return readCheckLog(desk.ci, sha);
    },
    async failingCheck(sha) {
      refuseClosed();
      const result = await desk.ci.known(sha);
      return result?.verdict === 'failed' ? { name: result.name, logTail: result.logTail } : undefined;
    },
    async findChecks() {
      refuseClosed();
      return options.ci !== undefined && (options.ci.isConfigured?.() ?? true) ? 'some' : 'none';
    },
    async remarks(number) {
      refuseClosed();
      return remarksOf(await desk.records.byNumber(number));
    },
    async obstacles(branch, signal) {
      refuseClosed();
      return obstaclesTo(desk, branch, signal);
    },
    async findPullRequest(number, signal) {
      refuseClosed();
      return findPullRequest(desk, number, signal);
    },
    subscribe(listener) {
      refuseClosed();
      return news.subscribe(listener);
    },
    push: (branch, workspace) => alone(() => push(desk, branch, workspace)),
    open: (branch, pullRequest) => alone(() => write.open(desk, branch, pullRequest)),
    edit: (number, text) => alone(() => write.edit(desk, number, text)),
    markReady: (number) => alone(() => write.edit(desk, number, { draft: false })),
    label: (number, change) => alone(() => write.label(desk, number, change)),
    comment: (number, key, text) => alone(() => write.comment(desk, number, key, text)),
    review: (number, review) => alone(() => write.review(desk, number, review)),
    merge: (number, at) => alone(() => merge(desk, number, at)),
    abandon: (number) => alone(() => write.abandon(desk, number)),
    revert: (number, request) => alone(() => revert(desk, number, request)),
    async close() {
      open = false;
      news.close();
      await desk.ci.close();
      repository.close();
    },
  };
}

async function openWithBase({
  environment,
  repository: folder,
  base,
}: LocalForgeOptions): Promise<Repository> {
  const path = resolve(folder);
  // Personal, because a merge is brought into work trees that people use.
  const repository = await openRepository({
    environment,
    personal: true,
    path,
    base,
    timeoutMs: GIT_LIMIT_MS,
  });
  const head = await repository.commit(branchRef(base)).catch((error: unknown) => {
    repository.close();
    throw error;
  });
  if (head !== undefined) return repository;
  repository.close();
  throw new LegionError('forge.base_missing', `${path} has no branch ${base}`);
}

function makeFolders(state: string) {
  const folders = {
    pullRequests: join(state, 'pull-requests'),
    ci: join(state, 'ci'),
    checkouts: join(state, 'checkouts'),
  };
  for (const folder of Object.values(folders)) {
    try {
      makeFolder(folder);
    } catch (error) {
      throw unavailable(folder, error);
    }
  }
  return folders;
}

/** Step by step: the recursive `mkdir` of Node never ends where a file system refuses with ENOENT. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may be faster with the same.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
