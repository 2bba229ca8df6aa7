/** Converts the file changes and commands of a scenario to commands for an agent's shell. */

import type { StepInput } from '../../src/agents/scripted/scenario/scenario.ts';
import { quoteShellWord } from '../../src/core/model/format.ts';

/** Ends the output of `run` and `verdict_from`, so that the model can read the exit code. */
const EXIT = 'legion-exit:';

/**
 * Encodes the text as base64, so that the shell never interprets quotes, newlines or dollar signs
 * in it.
 */
function encodeBase64(text: string): string {
  return Buffer.from(text).toString('base64');
}

export function writeFile({ path, content }: StepInput<'write'>, how: '>' | '>>'): string {
  const folder = `mkdir -p "$(dirname ${quoteShellWord(path)})"`;
  return `${folder} && printf %s ${encodeBase64(content)} | base64 -d ${how} ${quoteShellWord(path)}`;
}

const REPLACE_SCRIPT = `const [path, find, by] = process.argv.slice(1).map((word) => Buffer.from(word, 'base64').toString());
const { readFileSync, writeFileSync } = require('node:fs');
const text = readFileSync(path, 'utf8');
if (!text.includes(find)) { console.error('not found'); process.exit(1); }
writeFileSync(path, text.replace(find, () => by));`;

export function replaceIn({ path, find, with: by }: StepInput<'replace'>): string {
  return `node -e ${quoteShellWord(REPLACE_SCRIPT)} ${[path, find, by].map(encodeBase64).join(' ')}`;
}

export function removeFile({ path }: StepInput<'remove'>): string {
  return `rm -r ${quoteShellWord(path)}`;
}

export function buildCommitCommand({ message, include }: StepInput<'commit'>): string {
  const forced = include.length === 0 ? '' : ` && git add -f -- ${include.map(quoteShellWord).join(' ')}`;
  const commit = `printf %s ${encodeBase64(message)} | base64 -d | git commit -q -F -`;
  return `git add -A${forced} && { git diff --cached --quiet || ${commit}; }`;
}

export function mergeBase({ ref = 'main', prefer }: StepInput<'merge_base'>): string {
  return `git merge -q --no-edit ${prefer === undefined ? '' : `-X${prefer} `}${quoteShellWord(ref)}`;
}

export function runProgram(argv: readonly string[]): string {
  return `${argv.map(quoteShellWord).join(' ')}; echo ${EXIT}$?`;
}

/** Returns undefined if the command ended before it printed its exit code. */
export function parseExitCode(result: string | undefined): number | undefined {
  const [, code] = [...(result ?? '').matchAll(new RegExp(`${EXIT}(\\d+)`, 'g'))].at(-1) ?? [];
  return code === undefined ? undefined : Number(code);
}
