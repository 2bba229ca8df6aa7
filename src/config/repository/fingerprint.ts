/** The content of a repository's commands and prompts as short texts, so that an approval holds for exactly that content. */
import { createHash } from 'node:crypto';
import type { RepositoryConfig } from './schema.ts';

/** Each changes when the meaning of its content does: every approval is then asked for again. */
const COMMANDS_FORM = 'legion commands 1';
const PROMPTS_FORM = 'legion prompts 1';
const BOTH_FORM = 'legion commands and prompts 1';

/** By the name of the template they replace. */
export type PromptTexts = Readonly<Record<string, string>>;

/** The same whatever the order of keys, the layout or the comments of the file; another for every other command. */
export function commandsFingerprint({ commands }: Pick<RepositoryConfig, 'commands'>): string {
  return hashOf([COMMANDS_FORM, inOrder(commands)]);
}

/** Another for every other letter: an agent reads all of it. */
export function promptsFingerprint(prompts: PromptTexts): string {
  return hashOf([PROMPTS_FORM, inOrder(prompts)]);
}

/** Of what an operator is shown at once; each part is approved under its own, so that neither waits for the other's change. */
export function shownFingerprint(config: Pick<RepositoryConfig, 'commands'>, prompts: PromptTexts): string {
  const commands = commandsFingerprint(config);
  if (Object.keys(prompts).length === 0) return commands;
  return hashOf([BOTH_FORM, commands, promptsFingerprint(prompts)]);
}

function inOrder(given: object): readonly (readonly [string, unknown])[] {
  return Object.entries(given)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function hashOf(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
