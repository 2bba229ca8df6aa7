/** What a prompt of Legion is about, as its first lines say; a model has nothing else to go by. */
import type { Facts } from '../../src/agents/scripted/facts.ts';
import { MODES, PHASES } from '../../src/domain/mode.ts';

/** As `src/daemon/prompt` writes it; a test of that holds it. */
const WHO =
  /^You are the (\w+) worker of Legion for issue (\S+) \(mode (\w+), attempt (\d+), purpose (\w+)\)\./m;
const WORKSPACE = /Your workspace is (.+?), on branch /;
/** The issue stands between fences of three or more backticks: title, empty line, body. */
const TITLE = /^Issue \S+ \(work order\):\n`{3,}\n(.*)$/m;

/** Undefined for what is no prompt that begins a life, such as a letter or a reminder. */
export function factsIn(prompt: string): Facts | undefined {
  const [, phase, issue = '', mode, attempt, purpose = ''] = WHO.exec(prompt) ?? [];
  const known = { phase: PHASES.find((each) => each === phase), mode: MODES.find((each) => each === mode) };
  if (known.phase === undefined || known.mode === undefined) return undefined;
  return { issue, phase: known.phase, mode: known.mode, attempt: Number(attempt), purpose };
}

export function workspaceIn(prompt: string): string {
  return WORKSPACE.exec(prompt)?.[1] ?? '/';
}

export function titleIn(prompt: string): string {
  return TITLE.exec(prompt)?.[1]?.replace(/\s+/g, ' ').trim() ?? '';
}
