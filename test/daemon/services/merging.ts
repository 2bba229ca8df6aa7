/**
 * Provides merged issues, issues that are ready to merge, and a CI that a test can delay or fail.
 * Uses real git and real processes.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { Event } from '../../../src/core/model/event.ts';
import type { IssueId } from '../../../src/core/model/ids.ts';
import type { ForgePullRequest } from '../../../src/ports/forge.ts';
import { git } from '../../ports/forge/git.ts';
import type { DeskLegion } from './legion.ts';
import { SOON } from './repeater.ts';

/**
 * CI command. It runs as long as the hold file exists next to the repository, and fails if
 * `red.txt` is in the tree.
 */
const CI =
  "until [ ! -e '$HOLD' ]; do sleep 0.05; done; [ ! -e red.txt ] || { echo three tests failed; exit 1; }";

const { signal } = new AbortController();

export function mergingIn(legion: DeskLegion) {
  const hold = join(legion.repository, '..', 'hold-ci');

  async function configureCi(isThere = true): Promise<void> {
    const command = JSON.stringify(['sh', '-c', CI.replace('$HOLD', hold)]);
    const ci = isThere ? `, ci: ${command}` : '';
    legion.commitToBase({ '.legion/config.yml': `commands: { quality_gate: ['true']${ci} }\n` });
    const [shown] = await legion.desks.operator.repositoryCommands();
    if (shown !== undefined)
      await legion.desks.operator.approveCommands(shown.repo, shown.fingerprint, 'ada');
  }

  async function read(branch: string): Promise<ForgePullRequest> {
    const [repository] = legion.world.repositories.all;
    const found = (await repository?.forge.pullRequests([branch], signal))?.get(branch);
    if (typeof found !== 'object') throw new Error('the pull request cannot be read');
    return found;
  }

  async function ciEnds(branch: string, ci: 'passing' | 'failing'): Promise<void> {
    await vi.waitFor(async () => expect((await read(branch)).ci).toBe(ci), SOON);
  }

  /** Creates an issue in Done whose pull request was merged as if by a merge worker. */
  async function merged(): Promise<{ issue: IssueId; number: number }> {
    const issue = await legion.issue('Retro');
    const { number } = await legion.pullRequest(issue);
    const { headSha, baseSha } = await read(issue);
    const { mergedSha } = await legion.world.repositories
      .require(issue)
      .forge.merge(number, { headSha, baseSha });
    await legion.append({
      type: 'merge.landed',
      issue,
      merge: 1,
      pullRequest: number,
      headSha,
      mergedSha,
      auto: false,
    });
    await legion.desks.issues.move(issue, 'Done');
    return { issue, number };
  }

  /** Creates an issue in Retro with all evidence at its head. */
  async function ready(): Promise<{ issue: IssueId; number: number; head: string }> {
    await configureCi(false);
    const issue = await legion.issue('Retro', ['test-passed']);
    const { number, head } = await legion.pullRequest(issue);
    const proof = { type: 'evidence.recorded', issue, sha: head, verdict: 'passed', by: 'a worker' } as const;
    await legion.append(
      ...(['test', 'retro', 'quality_gate'] as const).map((kind, index) => ({
        ...proof,
        kind,
        revision: index + 1,
        suites: ['unit'],
        detail: '',
      })),
    );
    await legion.world.repositories.require(issue).forge.review(number, {
      reviewer: 'grace',
      verdict: 'approved',
      sha: head,
      text: 'Good.',
    });
    return { issue, number, head };
  }

  async function commitOn(branch: string, file: string): Promise<void> {
    const folder = join(legion.repository, '..', 'elsewhere');
    await git(legion.repository, 'worktree', 'add', '--quiet', folder, branch);
    writeFileSync(join(folder, file), '');
    await git(folder, 'add', '--all');
    await git(folder, 'commit', '--quiet', '--message=more');
    await git(legion.repository, 'worktree', 'remove', '--force', folder);
  }

  function filesOnBase(): Promise<string> {
    return git(legion.repository, 'ls-tree', '-r', '--name-only', 'main');
  }

  async function lastComment(issue: IssueId): Promise<string> {
    return (await legion.comments(issue)).at(-1)?.text ?? '';
  }

  async function eventsOf(issue: IssueId): Promise<readonly Event[]> {
    const found: Event[] = [];
    for await (const batch of legion.world.ledger.read(0))
      found.push(...batch.filter((event) => 'issue' in event && event.issue === issue));
    return found;
  }

  return {
    configureCi,
    read,
    ciEnds,
    merged,
    ready,
    commitOn,
    filesOnBase,
    lastComment,
    eventsOf,
    holdCi: () => writeFileSync(hold, ''),
    releaseCi: () => rmSync(hold, { force: true }),
  };
}
