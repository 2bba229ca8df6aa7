/**
 * Scripted models for tests: some play a scenario given as rules, others change their behaviour
 * when a message arrives.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseScenario } from '../../src/agents/scripted/scenario/load-scenario.ts';
import type { Mode } from '../../src/core/model/mode.ts';
import type { ModelRequest, ScriptedMind } from '../model/mind.ts';
import { parsePromptFacts } from '../model/prompt-facts.ts';
import { createScenarioMind } from '../model/scenario-mind.ts';
import type { RealLife } from './legion.ts';

export function createPlay(...rules: readonly object[]): ScriptedMind {
  return createScenarioMind(rules.length === 0 ? undefined : parseScenario({ rules }, 'the test'));
}

/**
 * Plays `before` in the given mode until the message `said` arrives. After that, and in all other
 * modes, plays the built-in scenario.
 */
export function createPlayUntilHeard(said: string, mode: Mode, before: ScriptedMind): ScriptedMind {
  const after = createPlay();
  return (seen) => (findMode(seen) === mode && !hasHeard(seen, said) ? before(seen) : after(seen));
}

export function hasHeard({ prompts }: ModelRequest, said: string): boolean {
  return prompts.some((prompt) => prompt.includes(said));
}

export function findMode({ prompts }: ModelRequest): Mode | undefined {
  return prompts
    .map(parsePromptFacts)
    .filter((facts) => facts !== undefined)
    .at(-1)?.mode;
}

/** Returns a command that creates a file when it starts, and then runs for this many seconds. */
export function buildLongCommand(seconds: number): readonly string[] {
  return ['sh', '-c', `touch "$HOME/began-$LEGION_MODE-$LEGION_ATTEMPT"; sleep ${seconds}`];
}

/**
 * Waits until the command of `buildLongCommand` has started. The `HOME` of workers is the legion's
 * directory.
 */
export async function waitForCommandStart({ legion }: RealLife, mode: Mode, attempt = 1): Promise<void> {
  const file = join(legion.folder, `began-${mode}-${attempt}`);
  const deadline = performance.now() + BEGAN_MS;
  while (!existsSync(file)) {
    if (performance.now() > deadline)
      throw new Error(`${mode}, attempt ${attempt}, never started its command`);
    await sleep(100);
  }
}

/**
 * Maximum wait. An agent starts within seconds, but on a busy machine a phase may take a minute.
 */
const BEGAN_MS = 150_000;
