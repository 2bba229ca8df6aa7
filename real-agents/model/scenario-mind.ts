/**
 * A scripted model that plays the scripted agent's scenarios, so that the same scenario runs on
 * every agent.
 */

import { buildDefaultSteps, findMatchingRule } from '../../src/agents/scripted/player/choose-steps.ts';
import {
  replaceStepPlaceholders,
  type Scenario,
  type ScenarioStep,
  type WorkerFacts,
} from '../../src/agents/scripted/scenario/scenario.ts';
import type { ModelMove, ModelRequest, ScriptedMind } from './mind.ts';
import { parsePromptFacts, parseTitle, parseWorkspace } from './prompt-facts.ts';
import { listMoveSteps, moveFor } from './step-move.ts';

/**
 * Plays the scenario. If there is none, or no rule matches, plays the phase's built-in scenario.
 */
export function createScenarioMind(scenario?: Scenario): ScriptedMind {
  return async (seen) => {
    const turn = presentTurn(seen);
    if (turn === undefined) return { say: 'I have no instructions.' };
    const steps = listMoveSteps(await findSteps(scenario, turn));
    const made = steps.flatMap((step) => (isMove(step) ? [step] : []));
    const { calls } = seen;
    const step = made[calls.length];
    // A question ends the turn. The answer to it starts another turn.
    if (step === undefined || made[calls.length - 1]?.name === 'ask') return { say: 'My part is done.' };
    const finished = await replaceStepPlaceholders(step, turn.facts, async () => turn.title);
    return withUsage(moveFor(finished, calls.at(-1)) ?? { say: '' }, steps, step);
  };
}

interface PresentTurn {
  readonly facts: WorkerFacts;
  readonly earlier: readonly WorkerFacts[];
  readonly title: string;
  readonly workspace: string;
}

/** Finds Legion's latest prompt. Later worker messages and reminders belong to the same turn. */
function presentTurn({ prompts }: ModelRequest): PresentTurn | undefined {
  const known = prompts.flatMap((prompt) => {
    const facts = parsePromptFacts(prompt);
    return facts === undefined ? [] : [{ facts, prompt }];
  });
  const last = known.at(-1);
  if (last === undefined) return undefined;
  const earlier = known.slice(0, -1).map(({ facts }) => facts);
  return {
    facts: last.facts,
    earlier,
    title: parseTitle(last.prompt),
    workspace: parseWorkspace(last.prompt),
  };
}

async function findSteps(
  scenario: Scenario | undefined,
  turn: PresentTurn,
): Promise<readonly ScenarioStep[]> {
  const { facts, earlier, title, workspace } = turn;
  const occasion = { facts, earlier, workspace, title: async () => title };
  const rules = scenario?.rules ?? [];
  if (facts.purpose === 'feedback') {
    const begun = await ruleOf({ ...occasion, facts: { ...facts, purpose: 'start', attempt: 1 } });
    const asked = begun?.steps.findIndex(({ name }) => name === 'ask') ?? -1;
    if (begun !== undefined && asked >= 0) return begun.steps.slice(asked + 1);
  }
  return (await ruleOf(occasion))?.steps ?? buildDefaultSteps(occasion);

  async function ruleOf(of: typeof occasion) {
    const index = await findMatchingRule(rules, of);
    return index === undefined ? undefined : rules[index];
  }
}

function isMove(step: ScenarioStep): boolean {
  return step.name !== 'say' && step.name !== 'usage' && step.name !== 'turn';
}

/** If the step before this one sets the usage, adds that usage to the answer of this step. */
function withUsage(move: ModelMove, steps: readonly ScenarioStep[], step: ScenarioStep): ModelMove {
  const before = steps[steps.indexOf(step) - 1];
  return before?.name === 'usage' ? { ...move, usage: before.input } : move;
}
