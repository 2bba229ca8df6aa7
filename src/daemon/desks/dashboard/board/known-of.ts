/** What the journal tells of an issue for its card: who works on it, what it waits for, what it has cost. */
import type { IssueId } from '../../../../core/model/ids.ts';
import { REASONS } from '../../../../core/pipeline/reasons.ts';
import type { MadeDecision, Swarm, WorkerRecord } from '../../../../core/state/state.ts';
import { isLive, lifecycleOf } from '../../../../domain/lifecycle.ts';
import type { Card } from '../../../../protocol/dashboard.ts';
import { explainWait } from '../../../../swarm/explain-wait.ts';
import { workersOf } from '../../../../swarm/workers.ts';
import { presentWorker } from '../../../present/issue-state.ts';
import { isForgotten } from '../../../present/worker.ts';
import { type CardSources, workerOnCard } from './worker-on-card.ts';

type Explained = Pick<MadeDecision, 'reason' | 'mode' | 'evidence'>;
type Known = Pick<Card, 'worker' | 'waits' | 'spentUsd'>;

/** For all issues of one board. */
export function knowing(swarm: Swarm, sources: CardSources): (issue: IssueId) => Known {
  return (issue) => knownOf(swarm, issue, workersOf(swarm, issue), sources);
}

function knownOf(
  swarm: Swarm,
  issue: IssueId,
  workers: readonly WorkerRecord[],
  sources: CardSources,
): Known {
  const present = workers.length === 0 ? undefined : presentWorker(workers);
  const shown = present !== undefined && !isForgotten(swarm, present) ? present : undefined;
  const decision = swarm.issues.get(issue)?.decision;
  const isDecided = decision !== undefined && decision.reason !== 'worker_live';
  return {
    worker: shown === undefined ? null : workerOnCard(swarm, shown, sources),
    // Decided while a worker was at it, and it has ended since: what follows is not decided yet.
    waits: isDecided && !isAtWork(shown) ? waitFor(swarm, issue, decision) : null,
    spentUsd: workers.reduce((sum, { spent }) => sum + spent.earlier.usd + spent.now.usd, 0),
  };
}

/** In the words `explain` has for the same reason; null where nothing more will happen. */
export function waitFor(swarm: Swarm, issue: IssueId, decision: Explained): Card['waits'] {
  const { reason } = decision;
  const { cause: says } = explainWait(swarm, issue, decision);
  const known = Object.hasOwn(REASONS, reason) ? REASONS[reason as keyof typeof REASONS] : undefined;
  // Of another version's reason only the word is known.
  if (known === undefined) return { says, by: 'event', what: reason };
  const { by, what } = known.until;
  return by === 'nothing_more' ? null : { says, by, what: what.replaceAll('ISSUE', issue) };
}

function isAtWork(worker: WorkerRecord | undefined): boolean {
  return worker !== undefined && isLive(lifecycleOf(worker.facts));
}
