/** Letting a held issue, or the start of workers, go on. */
import { LegionError } from '../../../domain/fault.ts';
import type { IssueId } from '../../../domain/ids.ts';
import type { Said } from '../../../protocol/operator.ts';
import { effectiveLabels } from '../../../swarm/effective-labels.ts';
import { countedAnew } from '../../unpaused-by-hand.ts';
import type { World } from '../../world.ts';
import { readIssue } from '../read-outside.ts';
import { relabel } from './relabel.ts';
import { sayOnIssue } from './say-on-issue.ts';

export async function resumeIssue(world: World, issue: IssueId, by: string): Promise<Said> {
  const { labels } = await readIssue(world, issue);
  if (!effectiveLabels(labels, world.ledger.swarm.issues.get(issue)).has('legion-paused'))
    throw new LegionError('resume.not_paused', `${issue} does not have the label legion-paused`);
  // The counts before the mark: without it, the next look would find them full and pause the issue again.
  await world.ledger.append((swarm) => countedAnew(swarm, issue, by));
  await sayOnIssue(world, issue, by, `${issue}:resumed:${world.ledger.version}`, `Resumed by ${by}.`);
  await relabel(world, issue, { add: [], remove: ['legion-paused'] });
  world.wake(issue);
  return { says: `${issue} goes on; its rounds, crashes and budgets count anew.` };
}

export async function resumeStarts(world: World, by: string): Promise<Said> {
  const appended = await world.ledger.append(({ breaker }) =>
    breaker.open === undefined ? [] : [{ type: 'breaker.closed', breaker: breaker.serial, by }],
  );
  if (appended.length === 0) throw new LegionError('resume.not_paused', 'workers may start');
  world.wake();
  return { says: 'Workers are started again.' };
}
