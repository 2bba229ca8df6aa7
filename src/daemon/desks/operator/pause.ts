/** Holding one issue, or the whole legion. Workers that are running go on, and what they report is kept. */
import type { IssueId } from '../../../core/model/ids.ts';
import { holdEvents } from '../../../core/state/halt.ts';
import type { Said } from '../../../protocol/operator.ts';
import type { World } from '../../world.ts';
import { readIssue } from '../read-outside.ts';
import { holdIssueEvents, showHold } from './hold-issue.ts';

export async function pauseIssue(world: World, issue: IssueId, by: string, why: string): Promise<Said> {
  const { labels } = await readIssue(world, issue);
  const appended = await world.ledger.append((swarm) => holdIssueEvents(swarm, issue, labels, { by, why }));
  if (appended.length === 0)
    return { says: `${issue} is paused already; \`legion resume ${issue}\` ends that.` };
  const isShown = await showHold(world, issue, by, why);
  world.wake(issue);
  const later = isShown ? '' : ' The board cannot be written now; it shows the hold once it can.';
  return { says: `${issue} is paused until \`legion resume ${issue}\`; a running worker continues.${later}` };
}

export async function pauseStarts(world: World, by: string, why: string): Promise<Said> {
  const { ledger } = world;
  const appended = await ledger.append((swarm) => holdEvents(swarm, 'pause', by, `paused by ${by}: ${why}`));
  const hold = ledger.swarm.breaker.open?.why ?? 'it was ended meanwhile';
  if (appended.length === 0) return { says: `No worker is started already: ${hold}.` };
  world.wake();
  return {
    says: 'No worker is started until `legion resume`; running workers continue. `legion halt` stops them.',
  };
}
