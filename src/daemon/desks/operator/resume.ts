/** Letting a held issue, or the start of workers, go on. */
import { LegionError } from '../../../core/model/fault.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import type { Said } from '../../../protocol/operator.ts';
import { effectiveLabels } from '../../../swarm/effective-labels.ts';
import { countedAnew } from '../../unpaused-by-hand.ts';
import type { World } from '../../world.ts';
import { readIssue } from '../read-outside.ts';
import { describeLegionHold } from './describe-legion-hold.ts';
import { describeStoppingWorkers } from './describe-stopping-workers.ts';
import { relabel } from './relabel.ts';
import { sayOnIssue } from './say-on-issue.ts';

export async function resumeIssue(world: World, issue: IssueId, by: string): Promise<Said> {
  const { labels } = await readIssue(world, issue);
  if (!effectiveLabels(labels, world.ledger.swarm, issue).has('legion-paused'))
    throw new LegionError('resume.not_paused', describeNotPaused(world, issue));
  // The counts before the mark: without it, the next look would find them full and pause the issue again.
  await world.ledger.append((swarm) => countedAnew(swarm, issue, by));
  await sayOnIssue(world, issue, by, `${issue}:resumed:${world.ledger.version}`, `Resumed by ${by}.`);
  await relabel(world, issue, { add: [], remove: ['legion-paused'] });
  world.wake(issue);
  const hold = describeLegionHold(world.ledger.swarm);
  const state = hold === undefined ? 'continues' : 'is no longer paused';
  const says = `${issue} ${state}; its rounds, crashes and budgets start from zero.${hold === undefined ? '' : ` ${hold}`}`;
  return { says: addStopping(says, world, issue) };
}

export async function resumeStarts(world: World, by: string): Promise<Said> {
  const appended = await world.ledger.append(({ breaker }) =>
    breaker.open === undefined ? [] : [{ type: 'breaker.closed', breaker: breaker.serial, by }],
  );
  if (appended.length === 0)
    throw new LegionError('resume.not_paused', 'The legion is neither paused nor halted');
  world.wake();
  return { says: addStopping('Workers are started again.', world) };
}

function describeNotPaused({ ledger }: World, issue: IssueId): string {
  const hold = ledger.swarm.breaker.open;
  if (hold === undefined) return `${issue} is not paused`;
  const state = hold.kind === 'halt' ? 'halted' : 'paused';
  return `${issue} itself is not paused; the whole legion is ${state}, and \`legion resume\` without an issue ends that`;
}

/** A worker starts again only after its last process has ended. */
function addStopping(says: string, world: World, issue?: IssueId): string {
  return [says, describeStoppingWorkers(world, issue)].filter((each) => each !== '').join(' ');
}
