/** Chooses what a turn plays: where a question stopped, the first rule that fits, or the built-in scenario. */
import { defaultSteps } from '../default-scenario.ts';
import { matchingRule, type Occasion } from '../scenario/match.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Step } from '../scenario/step.ts';
import type { Bookmark } from './session.ts';

export interface Choice {
  readonly steps: readonly Step[];
  /** The step to begin with. */
  readonly first: number;
  /** The rule's place in the scenario; undefined for the built-in one. */
  readonly rule: number | undefined;
  /** For messages: `rules[2]`. */
  readonly place: string;
}

export async function chooseSteps(
  scenario: Scenario | undefined,
  occasion: Occasion & { readonly bookmark: Bookmark | undefined; readonly workspace: string },
): Promise<Choice> {
  const rules = scenario?.rules ?? [];
  const { facts, bookmark } = occasion;
  const asked = facts.purpose === 'feedback' ? bookmark : undefined;
  const interrupted = asked === undefined ? undefined : rules[asked.rule];
  // The file may have been edited since: only what is still right after a question is a continuation.
  if (asked !== undefined && interrupted?.steps[asked.next - 1]?.name === 'ask') {
    if (asked.next < interrupted.steps.length) return choice(asked.rule, asked.next);
  }
  const rule = await matchingRule(rules, occasion);
  if (rule !== undefined) return choice(rule, 0);
  const steps = await defaultSteps(occasion);
  return { steps, first: 0, rule: undefined, place: `the built-in ${facts.phase} scenario` };

  function choice(index: number, first: number): Choice {
    return { steps: rules[index]?.steps ?? [], first, rule: index, place: `rules[${index}]` };
  }
}
