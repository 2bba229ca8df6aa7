/** Decisions in words for people. */

import { REASONS } from '../../core/pipeline/reasons.ts';
import type { Decision } from '../../domain/decision.ts';
import type { AdvanceAnswer } from '../../protocol/operator.ts';

/** The word itself where this version does not know it, as in the journal of another one. */
export function reasonInWords(reason: string): string {
  return Object.hasOwn(REASONS, reason) ? REASONS[reason as keyof typeof REASONS].says : reason;
}

export function decisionView({ action, mode, reason }: Decision): AdvanceAnswer['decisions'][number] {
  return { action, mode, reason, says: reasonInWords(reason) };
}
