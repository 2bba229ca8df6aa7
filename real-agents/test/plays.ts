/** Minds for tests: a scenario given as rules, with a word from outside that changes what is played. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readScenario } from '../../src/agents/scripted/scenario/read-scenario.ts';
import type { Mode } from '../../src/domain/mode.ts';
import type { Mind, Seen } from '../model/mind.ts';
import { factsIn } from '../model/prompt-facts.ts';
import { scenarioMind } from '../model/scenario-mind.ts';
import type { RealLife } from './legion.ts';

export function plays(...rules: readonly object[]): Mind {
  return scenarioMind(rules.length === 0 ? undefined : readScenario({ rules }, 'the test'));
}

/** What a mode does until somebody has said this to it; then, and in every other mode, the built-in scenario. */
export function until(said: string, mode: Mode, before: Mind): Mind {
  const after = plays();
  return (seen) => (modeOf(seen) === mode && !hasHeard(seen, said) ? before(seen) : after(seen));
}

export function hasHeard({ prompts }: Seen, said: string): boolean {
  return prompts.some((prompt) => prompt.includes(said));
}

export function modeOf({ prompts }: Seen): Mode | undefined {
  return prompts
    .map(factsIn)
    .filter((facts) => facts !== undefined)
    .at(-1)?.mode;
}

/** A command that shows that it runs, and then goes on for a while. */
export function longCommand(seconds: number): readonly string[] {
  return ['sh', '-c', `touch "$HOME/began-$LEGION_MODE-$LEGION_ATTEMPT"; sleep ${seconds}`];
}

/** Waits for it; the `HOME` of workers is the legion's folder. */
export async function began({ legion }: RealLife, mode: Mode, attempt = 1): Promise<void> {
  const file = join(legion.folder, `began-${mode}-${attempt}`);
  const deadline = performance.now() + BEGAN_MS;
  while (!existsSync(file)) {
    if (performance.now() > deadline) throw new Error(`${mode}, attempt ${attempt}, never began its command`);
    await sleep(100);
  }
}

/** An agent starts within seconds; beside others on a busy machine a phase may take a minute. */
const BEGAN_MS = 150_000;
