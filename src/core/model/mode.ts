/**
 * Modes (the kinds of work that a worker does), phases (the same steps from the point of
 * view), and rounds (how often an issue's work was repeated, by reason).
 */

export const MODES = ['architect', 'plan', 'implement', 'test', 'review', 'merge'] as const;
export type Mode = (typeof MODES)[number];

export const PHASES = ['architect', 'plan', 'implement', 'test', 'review', 'retro', 'merge'] as const;
export type Phase = (typeof PHASES)[number];

/** The identity a worker acts under. Two roles ensure that no worker approves its own work. */
export type WorkerRole = 'impl' | 'review';

/** Names of modes that requests may use. The earliest documents use `finish` for `merge`. */
export const MODE_NAMES = [...MODES, 'finish'] as const;
export type ModeName = (typeof MODE_NAMES)[number];

export function toMode(name: ModeName): Mode {
  return name === 'finish' ? 'merge' : name;
}

export function readMode(name: string): Mode | undefined {
  const wanted = name.trim().toLowerCase();
  const found = MODE_NAMES.find((each) => each === wanted);
  return found === undefined ? undefined : toMode(found);
}

/** Retro has no mode of its own: the implement worker is resumed for it. */
export function getPhaseMode(phase: Phase): Mode {
  return phase === 'retro' ? 'implement' : phase;
}

/** Code and its review need different identities. */
export function toWorkerRole(mode: Mode): WorkerRole {
  return mode === 'implement' || mode === 'merge' ? 'impl' : 'review';
}

/** Reasons for another round of an issue. */
export const ROUND_REASONS = [
  'ci_failure',
  'test_failure',
  'review_changes',
  'conflict',
  'sent_back',
  'quality_gate',
  'plan_review',
  'retro',
  'merge',
  'closing_keyword',
  'no_pr',
  'no_review',
] as const;

export type RoundReason = (typeof ROUND_REASONS)[number];

/** Rounds made per reason. Absent means none. */
export type RoundCounts = Readonly<Partial<Record<RoundReason, number>>>;
