/** The forge on GitHub: pull requests, reviews and checks by its APIs, commits by git in a local clone. */
import { join, resolve } from 'node:path';
import { type Fault, LegionError } from '../../core/model/fault.ts';
import type { Environment } from '../../domain/environment.ts';
import { lately } from '../../git/lately.ts';
import { authorsBy } from '../../github/authors.ts';
import type { Role } from '../../github/client.ts';
import { openPermissions, type Permissions } from '../../github/permissions.ts';
import { openRepository } from '../../integrations/forge-support/repository.ts';
import { openClone } from '../../integrations/github/forge/clone.ts';
import { openReader } from '../../integrations/github/forge/read.ts';
import { createEmitter } from '../../lib/async/emitter.ts';
import { createMutex } from '../../lib/async/mutex.ts';
import type { Forge } from '../../ports/forge.ts';
import { changesSince } from '../changes-since.ts';
import { complaints } from '../complaints.ts';
import { whileHeld } from '../hold.ts';
import { awaitMergeability } from './ask-merge.ts';
import { readCheckLog } from './check-log.ts';
import { comment } from './comment.ts';
import type { Desk } from './desk.ts';
import { abandon, edit } from './edit.ts';
import { failingCheck } from './failing-check.ts';
import { findChecks } from './find-checks.ts';
import { label } from './labels.ts';
import { listChecks } from './list-checks.ts';
import { lookAgain } from './look-again.ts';
import { merge } from './merge.ts';
import { open } from './open-one.ts';
import { push } from './push.ts';
import { remarks } from './remarks.ts';
import { revert } from './revert.ts';
import { review } from './review.ts';

export interface GithubForgeOptions
  extends Pick<Desk, 'client' | 'repo' | 'base' | 'clock' | 'issueOf' | 'isLegion' | 'identity'> {
  /** A clone of the repository on this machine, bare or ordinary; whoever works on this repository shares it. */
  readonly clone: string;
  /** Its address for git, without credentials: `https://github.com/acme/app.git`. */
  readonly remote: string;
  /** The environment that lets one git command sign in as a role. */
  readonly access: (role: Role) => Promise<Readonly<Record<string, string>>>;
  /** Numbers of pull requests of this repository that are attached to that issue, where its tracker has attachments. */
  readonly attached?: (branch: string) => readonly number[];
  /** Who may write, as far as it is known; whoever else asks the same GitHub may share it. */
  readonly permissions?: Permissions;
  /** Whether somebody who may not write is trusted all the same. */
  readonly isTrusted?: (login: string) => boolean;
  /** What git is given of it is chosen by name. */
  readonly environment: Environment;
  /** Calls the listener with a branch when a webhook tells of it; returns the way to stop that. */
  readonly news?: (listener: (branch: string) => void) => () => void;
  /** Told, once each, of what was set aside so that the rest could go on. */
  readonly onFault?: (fault: Fault) => void;
}

/** The fetch of a large branch over a slow line; beyond this git waits for something. */
const GIT_LIMIT_MS = 300_000;

/** In the clone itself, which other legions on this machine share. */
const LOCK = 'legion-forge.lock';

export async function openGithubForge(options: GithubForgeOptions): Promise<Forge> {
  const { client, repo, base, clock, environment, access, remote } = options;
  const repository = await openRepository({
    environment,
    path: resolve(options.clone),
    base,
    timeoutMs: GIT_LIMIT_MS,
  });
  const listeners = createEmitter<string>();
  const closing = new AbortController();
  const desk: Desk = {
    client,
    repo,
    base,
    clock,
    issueOf: options.issueOf,
    attached: options.attached ?? (() => []),
    isLegion: options.isLegion,
    identity: options.identity,
    authors: authorsBy(
      options.permissions ?? openPermissions(client, clock),
      (login) => options.isLegion(login) || options.isTrusted?.(login) === true,
    ),
    clone: openClone({ repository, remote, access: () => access('impl'), clock }),
    jobLogs: lately(),
    complain: complaints('GitHub forge', options.onFault),
    changed: (branch) => heard(branch),
    closing: closing.signal,
  };
  const reader = openReader(desk);
  const later = lookAgain(clock, listeners.emit, closing.signal);
  const stopNews = options.news?.((branch) => heard(branch));
  const turn = createMutex();

  function heard(branch: string): void {
    for (const each of reader.forget(branch)) listeners.emit(each);
  }

  function refuseClosed(): void {
    closing.signal.throwIfAborted();
  }

  async function held<T>(work: () => Promise<T>): Promise<T> {
    refuseClosed();
    return whileHeld(join(repository.gitDir, LOCK), clock, work);
  }

  /** One after the other, here and in all processes of this machine: what one reads before it writes must hold when it writes. */
  function alone<T>(work: () => Promise<T>): Promise<T> {
    return turn(() => held(work));
  }

  function reading<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return givenUp(signal, async () => {
      refuseClosed();
      return work();
    });
  }

  return {
    kind: 'github',
    pullRequests: (branches, signal) =>
      reading(signal, async () => {
        const found = await reader.read(branches, signal);
        later.saw(found);
        return found;
      }),
    whyUnknown: (branch) => reader.whyUnknown(branch),
    changesSince: (shas, at, signal) =>
      reading(signal, async () => {
        const wanted = [at.headSha, at.baseSha, ...shas];
        await desk.clone.bring(wanted, signal).catch(desk.complain); // what is here may be enough
        return changesSince(repository, desk.clone.comparison, shas, at, signal);
      }),
    checks: (sha, signal) => reading(signal, () => listChecks(desk, sha, signal)),
    checkLog: (_sha, check, signal) => reading(signal, () => readCheckLog(desk, check, signal)),
    failingCheck: (sha, signal) => reading(signal, () => failingCheck(desk, sha, signal)),
    findChecks: (signal) => reading(signal, () => findChecks(desk, signal)),
    remarks: (number, signal) => reading(signal, () => remarks(desk, number, signal)),
    subscribe(listener) {
      refuseClosed();
      return listeners.subscribe(listener);
    },
    push: (branch, workspace) => alone(() => push(desk, branch, workspace)),
    open: (branch, pullRequest) => alone(() => open(desk, branch, pullRequest)),
    edit: (number, text) => alone(() => edit(desk, number, text)),
    markReady: (number) => alone(() => edit(desk, number, { draft: false })),
    label: (number, change) => alone(() => label(desk, number, change)),
    comment: (number, key, text) => alone(() => comment(desk, number, key, text)),
    review: (number, given) => alone(() => review(desk, number, given)),
    async merge(number, at) {
      refuseClosed();
      await awaitMergeability(desk, number);
      return alone(() => merge(desk, number, at));
    },
    abandon: (number) => alone(() => abandon(desk, number)),
    revert: (number, request) => alone(() => revert(desk, number, request)),
    async close() {
      if (closing.signal.aborted) return;
      closing.abort(new LegionError('forge.closed', `${repo.owner}/${repo.name}: used after it was closed`));
      stopNews?.();
      listeners.close();
      // After all that was begun before.
      await turn(async () => {});
      repository.close();
    },
  };
}

/** A read that nobody waits for any more ends with a fault like every other failure. */
async function givenUp<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T> {
  try {
    signal.throwIfAborted();
    return await read();
  } catch (error) {
    if (error instanceof LegionError || !signal.aborted) throw error;
    throw new LegionError('forge.unavailable', 'the read was given up before its end', { cause: error });
  }
}
