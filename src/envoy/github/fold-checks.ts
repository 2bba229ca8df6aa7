/** Keeps the fold over checks running: takes words in, and lets a window's summary and wake-up out when it closes. */
import type { Clock } from '../../domain/clock.ts';
import type { Addressed } from '../pending.ts';
import type { WakeUp } from '../receiver.ts';
import {
  type CheckSeen,
  type Checks,
  type Closed,
  closeDue,
  closesAt,
  NO_CHECKS,
  withCheck,
} from './check-fold.ts';
import type { CheckSummary } from './check-summary.ts';
import { githubTopic } from './topics.ts';

type Out = (wakeUps: readonly WakeUp[], notices: readonly Addressed[]) => void;

export interface FoldingChecks {
  take(seen: readonly CheckSeen[]): void;
  close(): void;
}

export function foldChecks(clock: Clock, out: Out): FoldingChecks {
  let checks: Checks = NO_CHECKS;
  let isWaiting = false;
  const ending = new AbortController();

  /** One sleeper is enough: what comes in while it sleeps is never due before that for which it sleeps. */
  async function letOut(): Promise<void> {
    isWaiting = true;
    for (let at = closesAt(checks); at !== undefined; at = closesAt(checks)) {
      await clock.sleep(at - clock.monotonic(), ending.signal);
      const due = closeDue(checks, clock.monotonic());
      checks = due.checks;
      out(
        [...due.closed.map(wakeUpOf), ...(due.isLossy ? (['everything'] as const) : [])],
        due.closed.flatMap(noticesOf),
      );
    }
    isWaiting = false;
  }

  return {
    take(seen) {
      if (ending.signal.aborted) return;
      for (const each of seen) checks = withCheck(checks, each, clock.monotonic());
      // Rejects only when it is closed.
      if (!isWaiting) letOut().catch(() => undefined);
    },
    close: () => ending.abort(),
  };
}

/** Whether or not the summary is news: what was told before may have been wrong, and the forge knows. */
function wakeUpOf({ commit: { owner, repo, sha, branches, pullRequests } }: Closed): WakeUp {
  return { commit: { owner, repo, sha, branches, pullRequests } };
}

/** One for each pull request; where GitHub named none, because it is from a fork or not opened yet, one for the commit. */
function noticesOf({ commit, summary }: Closed): readonly Addressed[] {
  if (summary === undefined) return [];
  const { owner, repo, sha, pullRequests } = commit;
  const tell = (topic: string, what: string, number: number | null): Addressed => ({
    topic,
    notice: {
      text: said(`${owner}/${repo}${what}`, summary),
      data: {
        ...{ repository: `${owner}/${repo}`, sha, number },
        ...{ verdict: summary.verdict, failing: summary.failing },
      },
    },
  });
  if (pullRequests.length === 0) {
    return [tell(githubTopic(commit, 'commit', sha, 'ci'), `@${sha.slice(0, 12)}`, null)];
  }
  return pullRequests.map((number) => tell(githubTopic(commit, 'pr', number, 'ci'), `#${number}`, number));
}

function said(where: string, { verdict, failing }: CheckSummary): string {
  return `${where}: checks are ${verdict}${failing.length > 0 ? ` (${failing.join(', ')})` : ''}`;
}
