/** A mind that plays the scenarios of the scripted agent, so that one and the same story runs on every agent. */
import { defaultSteps } from '../../src/agents/scripted/default-scenario.ts';
import type { Facts } from '../../src/agents/scripted/facts.ts';
import { matchingRule } from '../../src/agents/scripted/scenario/match.ts';
import type { Scenario } from '../../src/agents/scripted/scenario/scenario.ts';
import type { Step } from '../../src/agents/scripted/scenario/step.ts';
import { substituted } from '../../src/agents/scripted/scenario/substitute.ts';
import type { Mind, Move, Seen } from './mind.ts';
import { factsIn, titleIn, workspaceIn } from './prompt-facts.ts';
import { moveFor, movesIn } from './step-move.ts';

/** Without a scenario, or where no rule fits, the built-in one of the phase is played. */
export function scenarioMind(scenario?: Scenario): Mind {
  return async (seen) => {
    const turn = presentTurn(seen);
    if (turn === undefined) return { say: 'Nobody has told me what to do.' };
    const steps = movesIn(await stepsFor(scenario, turn));
    const made = steps.flatMap((step) => (isMove(step) ? [step] : []));
    const { calls } = seen;
    const step = made[calls.length];
    // A question ends the turn; the answer begins another one.
    if (step === undefined || made[calls.length - 1]?.name === 'ask') return { say: 'That was my part.' };
    const finished = await substituted(step, turn.facts, async () => turn.title);
    return withUsage(moveFor(finished, calls.at(-1)) ?? { say: '' }, steps, step);
  };
}

interface PresentTurn {
  readonly facts: Facts;
  readonly earlier: readonly Facts[];
  readonly title: string;
  readonly workspace: string;
}

/** The latest prompt of Legion; letters and reminders go on with it. */
function presentTurn({ prompts }: Seen): PresentTurn | undefined {
  const known = prompts.flatMap((prompt) => {
    const facts = factsIn(prompt);
    return facts === undefined ? [] : [{ facts, prompt }];
  });
  const last = known.at(-1);
  if (last === undefined) return undefined;
  const earlier = known.slice(0, -1).map(({ facts }) => facts);
  return { facts: last.facts, earlier, title: titleIn(last.prompt), workspace: workspaceIn(last.prompt) };
}

async function stepsFor(scenario: Scenario | undefined, turn: PresentTurn): Promise<readonly Step[]> {
  const { facts, earlier, title, workspace } = turn;
  const occasion = { facts, earlier, workspace, title: async () => title };
  const rules = scenario?.rules ?? [];
  if (facts.purpose === 'feedback') {
    const begun = await ruleOf({ ...occasion, facts: { ...facts, purpose: 'start', attempt: 1 } });
    const asked = begun?.steps.findIndex(({ name }) => name === 'ask') ?? -1;
    if (begun !== undefined && asked >= 0) return begun.steps.slice(asked + 1);
  }
  return (await ruleOf(occasion))?.steps ?? defaultSteps(occasion);

  async function ruleOf(of: typeof occasion) {
    const index = await matchingRule(rules, of);
    return index === undefined ? undefined : rules[index];
  }
}

function isMove(step: Step): boolean {
  return step.name !== 'say' && step.name !== 'usage' && step.name !== 'turn';
}

/** What the scenario says was used right before the step is the usage of its answer. */
function withUsage(move: Move, steps: readonly Step[], step: Step): Move {
  const before = steps[steps.indexOf(step) - 1];
  return before?.name === 'usage' ? { ...move, usage: before.input } : move;
}
