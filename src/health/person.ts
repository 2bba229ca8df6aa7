/** Telling a person, once a day at most: what was said nineteen times is no longer read. */
import type { Finding, Look, Step } from './judgement.ts';
import { inWords } from './words.ts';

type Telling = Extract<Step, 'ask_person' | 'report_corruption' | 'remind'>;

/** The same finding with the telling left out when a person heard of this attempt less than a day ago. */
export function tellPerson({ evidence, now, limits }: Look, finding: Finding & { next: Telling }): Finding {
  const told = evidence.personToldAt;
  // A time that cannot be read, or lies ahead, is no proof that anybody was told.
  if (told === 'never' || !(told <= now) || now - told >= limits.remind) return finding;
  return {
    ...finding,
    next: 'leave_alone',
    why: `${finding.why} A person was told ${inWords(now - told)} ago.`,
    lookAgainAt: Math.min(told + limits.remind, now + limits.heartbeat),
  };
}
