/**
 * Reads the facts of a turn from the first lines of Legion's prompt, which is the only place where
 * the model gets them.
 */
import type { WorkerFacts } from '../../src/agents/scripted/scenario/scenario.ts';
import { MODES, PHASES } from '../../src/core/model/mode.ts';

/** Matches the format written by `src/daemon/prompts`, whose tests verify it. */
const WHO =
  /^You are the (\w+) worker of Legion for issue (\S+) \(mode (\w+), attempt (\d+), purpose (\w+)\)\./m;
const WORKSPACE = /Your workspace is (.+?), on branch /;
/** The issue is quoted between three or more backticks: title, empty line, body. */
const TITLE = /^Issue \S+ \(work order\):\n`{3,}\n(.*)$/m;

/**
 * Returns undefined for a text that does not start an attempt, such as a worker message or a
 * reminder.
 */
export function parsePromptFacts(prompt: string): WorkerFacts | undefined {
  const [, phase, issue = '', mode, attempt, purpose = ''] = WHO.exec(prompt) ?? [];
  const known = { phase: PHASES.find((each) => each === phase), mode: MODES.find((each) => each === mode) };
  if (known.phase === undefined || known.mode === undefined) return undefined;
  return { issue, phase: known.phase, mode: known.mode, attempt: Number(attempt), purpose };
}

export function parseWorkspace(prompt: string): string {
  return WORKSPACE.exec(prompt)?.[1] ?? '/';
}

export function parseTitle(prompt: string): string {
  return TITLE.exec(prompt)?.[1]?.replace(/\s+/g, ' ').trim() ?? '';
}
