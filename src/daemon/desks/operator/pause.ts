/** Holding one issue, or the start of any worker. Workers that are at it go on, and what they report is kept. */
import type { IssueId } from '../../../domain/ids.ts';
import type { Said } from '../../../protocol/operator.ts';
import { effectiveLabels } from '../../../swarm/effective-labels.ts';
import { PAUSED_BY } from '../../supervise/breaker-watch.ts';
import type { World } from '../../world.ts';
import { readIssue } from '../read-outside.ts';
import { relabel } from './relabel.ts';
import { sayOnIssue } from './say-on-issue.ts';

export async function pauseIssue(world: World, issue: IssueId, by: string, why: string): Promise<Said> {
  const { labels } = await readIssue(world, issue);
  const record = world.ledger.swarm.issues.get(issue);
  if (effectiveLabels(labels, record).has('legion-paused')) return { says: `${issue} is paused already.` };
  await relabel(world, issue, { add: ['legion-paused'], remove: [] });
  const key = `${issue}:paused:${world.ledger.version}`;
  await sayOnIssue(world, issue, by, key, `Paused by ${by}: ${why}`);
  world.wake(issue);
  return { says: `${issue} is paused until \`legion resume ${issue}\`; a worker that is at it goes on.` };
}

export async function pauseStarts({ ledger }: World, by: string, why: string): Promise<Said> {
  const appended = await ledger.append(({ breaker }) =>
    breaker.open === undefined
      ? [{ type: 'breaker.opened', breaker: breaker.serial + 1, why: `${PAUSED_BY}${by}: ${why}` }]
      : [],
  );
  if (appended.length === 0)
    return {
      says: `No worker is started already: ${ledger.swarm.breaker.open?.why ?? 'starts are paused'}.`,
    };
  return { says: 'No worker is started until `legion resume`; those at work go on.' };
}
