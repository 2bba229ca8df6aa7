/** Why an issue may go round again, and how often before a person decides. */

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

/** How many rounds of each reason have been made; absent is none. */
export type Rounds = Readonly<Partial<Record<RoundReason, number>>>;
