/** Whether an attempt is under suspicion now, for what, how it is to be probed, and what it is once that is confirmed. */
import { type Condition, presenceOf } from './condition.ts';
import type { Look, Step, Verdict } from './judgement.ts';
import type { HealthLimits } from './limits.ts';
import type { LocalMeaning } from './local-facts.ts';
import type { Silence } from './silence.ts';
import { exitInWords, inWords } from './words.ts';

export interface Suspect {
  /** A main clause with the facts, without a full stop. */
  readonly because: string;
  readonly since: number;
  readonly agentSince: number;
  readonly hard: number;
  readonly probe: 'ask' | 'examine';
  /** How long nothing may stir after a question, and after a mere look. */
  readonly patience: { readonly asked: number; readonly examined: number };
  /** A worker without a workspace is stopped although it lives. */
  readonly signsClear: boolean;
  readonly conclusion: Conclusion | { readonly lacks: string };
}

interface Conclusion {
  readonly verdict: Verdict;
  readonly next: Extract<
    Step,
    'confirm_crash' | 'replace_once' | 'dispatch' | 'stop_and_report' | 'report_corruption'
  >;
  readonly wouldChange: string;
}

export function suspectOf(look: Look, silence: Silence, local: LocalMeaning): Suspect | undefined {
  const { evidence, now, limits } = look;
  const { since, agentSince, hard } = silence;
  const common = { since, agentSince, hard, signsClear: true, probe: 'examine' } as const;
  const twoLooks = { asked: limits.secondLook, examined: limits.secondLook };
  const isDue = now - since >= silence.limit;

  if (local === 'misplaced') {
    const because = 'Its process runs without a workspace';
    // It may well be busy, so its own activity must not put the second look off.
    const seen = { since: evidence.spawnedAt, signsClear: false };
    return { ...common, ...seen, because, patience: twoLooks, conclusion: MISPLACED };
  }
  if (isDue && presenceOf(evidence.process) === 'no') {
    const conclusion = NOBODY_THERE[local] ?? { lacks: 'a look at its workspace and session file' };
    return { ...common, because: nobodyThere(look), patience: twoLooks, conclusion };
  }
  const because = silentClause(silence, now);
  const patience = patienceWith(silence.condition, limits);
  const probe = silence.condition === 'idle' ? 'ask' : 'examine';
  if (isDue) return { ...common, because, probe, patience, conclusion: SILENT[silence.condition] ?? CRASHED };
  // A source that went dark acquits nobody either: the flag stays until something is seen.
  const isDark = presenceOf(evidence.process) === 'unavailable' || silence.condition === 'unclear';
  if (evidence.suspicion.flagged && isDark)
    return { ...common, because, probe, patience, conclusion: { lacks: 'a look at what it is doing' } };
  return undefined;
}

const CRASHED: Conclusion = {
  verdict: 'crashed',
  next: 'confirm_crash',
  wouldChange:
    'A report or commit of this attempt that arrives late would show that this was wrong, and is recorded.',
};

const MISPLACED: Conclusion = {
  verdict: 'misplaced',
  next: 'stop_and_report',
  wouldChange: 'Its workspace being there again before it is asked to stop.',
};

const NEVER_STARTED: Conclusion = {
  verdict: 'never_started',
  next: 'dispatch',
  wouldChange: 'A new attempt, which begins with a workspace of its own.',
};

const NEVER_SPOKE: Conclusion = {
  verdict: 'never_started',
  next: 'replace_once',
  wouldChange: 'The replacement starting to work; a second failure to start goes to a person.',
};

const IMPOSSIBLE: Conclusion = {
  verdict: 'corrupt',
  next: 'report_corruption',
  wouldChange: 'A person who restores the workspace or removes the session; or either being seen again.',
};

const NOBODY_THERE: Partial<Record<LocalMeaning, Conclusion>> = {
  never_started: NEVER_STARTED,
  died_early: CRASHED,
  exited: CRASHED,
  impossible: IMPOSSIBLE,
};

const SILENT: Partial<Record<Condition, Conclusion>> = { not_started: NEVER_SPOKE };

/** An idle session that could not be asked was only looked at; it stands still by nature, so it gets the hard limit. */
function patienceWith(condition: Condition, limits: HealthLimits): Suspect['patience'] {
  const examined = condition === 'idle' ? limits.thinkingHard : limits.probeSilence;
  return { asked: limits.probeSilence, examined };
}

function nobodyThere({ evidence: { process, report, output } }: Look): string {
  const left = report === 'unavailable' ? 'whether it left a report could not be read' : 'it left no report';
  if (process === 'unavailable' || process.state === 'never_seen')
    return `No process of it was ever seen and ${left}`;
  if (process.state === 'alive') return `Its pid belongs to another process now and ${left}`;
  return `Its process ${exitInWords(process.exit)} and ${left}${output === 'empty' ? ', and its last output is empty' : ''}`;
}

function silentClause({ condition, since, limit }: Silence, now: number): string {
  const silent = inWords(now - since);
  switch (condition) {
    case 'not_started':
      return `No agent event has come since its start ${silent} ago; a start may take ${inWords(limit)}`;
    case 'in_tool':
      return `It has been in a tool without a word for ${silent}`;
    case 'idle':
      return `Its turn ended ${silent} ago without a report`;
    default:
      return `It has been silent for ${silent}`;
  }
}
