/** What every agent is given beside its prompt: Legion's tools, its skills, and the rules that hold whatever the prompt says. */
import { RULES } from './rules.ts';

export interface Equipment {
  /** The `legion` MCP server, on standard input and output. */
  readonly mcp: { readonly command: string; readonly args: readonly string[] };
  /** The hook that keeps an agent from stopping without a word, where the agent has hooks. */
  readonly stopHook: readonly [string, ...string[]];
  /** A folder with one folder a skill, each with its `SKILL.md`. */
  readonly skills: string;
  /** For the system prompt. */
  readonly rules: string;
}

/** `launcher` starts legion, such as `[process.execPath, '/…/legion.js']`. */
export function equipmentOf(launcher: readonly [string, ...string[]], skills: string): Equipment {
  const [command, ...args] = launcher;
  return {
    mcp: { command, args: [...args, 'mcp'] },
    stopHook: [command, ...args, 'stop-hook'],
    skills,
    rules: RULES,
  };
}
