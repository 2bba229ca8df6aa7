/** Finds the first rule that fits a turn. */
import type { Facts } from '../facts.ts';
import type { Conditions, Rule } from './scenario.ts';

export interface Occasion {
  readonly facts: Facts;
  /** The turns this session has had before, oldest first. */
  readonly earlier: readonly Facts[];
  /** Asked for only where a rule depends on it: it costs a question to the daemon. */
  title(): Promise<string>;
}

/** Resolves to the rule's place in the list; undefined where none fits. */
export async function matchingRule(rules: readonly Rule[], occasion: Occasion): Promise<number | undefined> {
  for (const [index, rule] of rules.entries()) {
    if (await fits(rule, occasion)) return index;
  }
  return undefined;
}

async function fits(rule: Conditions, { facts, earlier, title }: Occasion): Promise<boolean> {
  if (!holds(rule, facts)) return false;
  const round = earlier.filter((turn) => holds(rule, turn)).length + 1;
  if (rule.round !== undefined && rule.round !== round) return false;
  // Last, and the same for every turn of a session, so it does not change the round.
  return rule.title === undefined || (await title()).toLowerCase().includes(rule.title.toLowerCase());
}

function holds({ issue, mode, phase, purpose, attempt }: Conditions, facts: Facts): boolean {
  return (
    (issue === undefined || isLike(facts.issue, issue)) &&
    (mode === undefined || mode === facts.mode) &&
    (phase === undefined || phase === facts.phase) &&
    (purpose === undefined || purpose === facts.purpose) &&
    (attempt === undefined ||
      ('exactly' in attempt ? facts.attempt === attempt.exactly : facts.attempt > attempt.above))
  );
}

/** Piece by piece instead of by a regular expression, which many stars would make slow. */
function isLike(id: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.toLowerCase().split('*');
  const last = rest.pop();
  const text = id.toLowerCase();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
