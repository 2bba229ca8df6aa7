/** An attempt that has ended is left alone; a process it left behind is a zombie for the cleanup, not for health. */
import { hasEnded } from '../domain/lifecycle.ts';
import { isTime } from './clock.ts';
import { presenceOf } from './condition.ts';
import type { Finding, Look } from './judgement.ts';
import { inWords } from './words.ts';

export function ended({ evidence, now, limits }: Look): Finding | undefined {
  const { state, stateSince } = evidence;
  if (!hasEnded(state)) return undefined;
  const process = presenceOf(evidence.process);
  if (process === 'yes' && isTime(now) && stateSince <= now && now - stateSince < limits.stopGrace) {
    return {
      verdict: 'ended',
      next: 'leave_alone',
      why: `The attempt is ${state} since ${inWords(now - stateSince)}; its process is leaving.`,
      wouldChange: `A process that is still there in ${inWords(stateSince + limits.stopGrace - now)} is a zombie.`,
      until: 'time',
      lookAgainAt: stateSince + limits.stopGrace,
    };
  }
  if (process === 'yes') {
    return {
      verdict: 'zombie',
      next: 'reap_at_cleanup',
      why: `The attempt is ${state} and its process is still there.`,
      wouldChange:
        'The end of the process, or the cleanup of its issue, which reaps it by pid and start time.',
      until: 'event',
    };
  }
  if (state === 'paused') {
    return {
      verdict: 'ended',
      next: 'leave_alone',
      why: 'The attempt is paused: it crashed more often than is allowed.',
      wouldChange: 'A person who resets the crash count lets a new attempt begin.',
      until: 'person',
    };
  }
  return {
    verdict: 'ended',
    next: 'leave_alone',
    why: `The attempt is ${state}${process === 'no' ? '' : '; whether its process is still there could not be read'}.`,
    wouldChange: 'Nothing: a new attempt has a health of its own.',
    until: 'nothing_more',
  };
}
