/** What changed since a tester or reviewer last looked: whoever is sent again need not begin from nothing. */
import type { Command } from '../../core/model/command.ts';
import { LegionError } from '../../core/model/fault.ts';
import { workerId } from '../../core/model/ids.ts';
import type { ChangeSince } from '../../domain/evidence.ts';
import { shellWord } from '../../domain/shell-word.ts';
import type { CheckedAt, ForgePullRequest } from '../../ports/forge.ts';
import { listed } from '../reports/work-handed-in.ts';
import type { World } from '../world.ts';

type Spawn = Extract<Command, { kind: 'spawn' }>;

/** Undefined where there was no earlier look, or it could not be compared: the whole is looked at then. */
export async function describeSinceLastLook(
  world: World,
  { issue, mode }: Pick<Spawn, 'issue' | 'mode'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (mode !== 'test' && mode !== 'review') return undefined;
  const { forge } = world.repositories.of(issue);
  try {
    const found = (await forge.pullRequests([issue], signal)).get(issue);
    if (typeof found !== 'object' || found.state !== 'open') return undefined;
    const sha = mode === 'test' ? lastPassed(world, issue) : lastReviewed(found, workerId(issue, mode));
    if (sha === undefined || sha === found.headSha) return undefined;
    const change = (await forge.changesSince([sha], found, signal)).get(sha);
    if (change === undefined || change === 'unknown') return undefined;
    return mode === 'test' ? sinceTests(sha, change) : sinceReview(sha, change, found);
  } catch (error) {
    // It only helps: without it the worker looks at everything.
    if (error instanceof LegionError && !signal.aborted) return undefined;
    throw error;
  }
}

function lastPassed({ ledger }: World, issue: string): string | undefined {
  const test = ledger.swarm.issues.get(issue)?.evidence.test;
  return test?.verdict === 'passed' ? test.sha : undefined;
}

function lastReviewed({ reviews }: ForgePullRequest, reviewer: string): string | undefined {
  if (reviews === 'unknown') return undefined;
  return reviews.findLast((review) => review.reviewer === reviewer)?.sha;
}

function sinceTests(sha: string, change: ChangeSince): string {
  return `The tests passed at ${sha}. ${differenceOf(change)} Give the verdict on the present head.`;
}

function sinceReview(sha: string, change: ChangeSince, { headSha, baseSha }: ForgePullRequest): string {
  const command = readingCommand(sha, change, { headSha, baseSha });
  return `You reviewed this pull request at ${sha}. ${differenceOf(change)} Read only that difference: \`${command}\`.`;
}

/** More files than these make a command nobody can read. */
const MAX_NAMED_FILES = 20;

/** Only the branch's own files: the rest of a rebased difference is what others have landed. */
function readingCommand(sha: string, change: ChangeSince, { headSha, baseSha }: CheckedAt): string {
  const files = [...change.own, ...change.overlap];
  if (files.length <= MAX_NAMED_FILES)
    return ['git diff', sha, headSha, '--', ...files.map((file) => shellWord(file))].join(' ');
  return change.rebased ? `git range-diff ${baseSha} ${sha} ${headSha}` : `git diff ${sha} ${headSha}`;
}

function differenceOf({ own, overlap, rebased }: ChangeSince): string {
  const parts = [
    ...(rebased ? ['the branch was brought onto a newer base'] : []),
    ...(own.length > 0 ? [`its own work changed in ${listed(own)}`] : []),
    ...(overlap.length > 0
      ? [`the base brought changes into ${listed(overlap)}, which it changes as well`]
      : []),
  ];
  return parts.length === 0 ? 'Nothing changed since.' : `Since then ${parts.join(', ')}.`;
}
