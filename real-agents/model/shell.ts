/** The work of a scenario as commands for an agent's shell. */

import type { StepInput } from '../../src/agents/scripted/scenario/step.ts';
import { shellWord } from '../../src/domain/shell-word.ts';

/** Ends what `run` and `verdict_from` write, so that the model can read how the command ended. */
const EXIT = 'legion-exit:';

/** Through base64, so that no quote, newline or dollar of a file's content is ever the shell's business. */
function encoded(text: string): string {
  return Buffer.from(text).toString('base64');
}

export function writeFile({ path, content }: StepInput<'write'>, how: '>' | '>>'): string {
  const folder = `mkdir -p "$(dirname ${shellWord(path)})"`;
  return `${folder} && printf %s ${encoded(content)} | base64 -d ${how} ${shellWord(path)}`;
}

const REPLACE = `const [path, find, by] = process.argv.slice(1).map((word) => Buffer.from(word, 'base64').toString());
const { readFileSync, writeFileSync } = require('node:fs');
const text = readFileSync(path, 'utf8');
if (!text.includes(find)) { console.error('not found'); process.exit(1); }
writeFileSync(path, text.replace(find, () => by));`;

export function replaceIn({ path, find, with: by }: StepInput<'replace'>): string {
  return `node -e ${shellWord(REPLACE)} ${[path, find, by].map(encoded).join(' ')}`;
}

export function removeFile({ path }: StepInput<'remove'>): string {
  return `rm -r ${shellWord(path)}`;
}

export function commitAll({ message, include }: StepInput<'commit'>): string {
  const forced = include.length === 0 ? '' : ` && git add -f -- ${include.map(shellWord).join(' ')}`;
  const commit = `printf %s ${encoded(message)} | base64 -d | git commit -q -F -`;
  return `git add -A${forced} && { git diff --cached --quiet || ${commit}; }`;
}

export function mergeBase({ ref = 'main', prefer }: StepInput<'merge_base'>): string {
  return `git merge -q --no-edit ${prefer === undefined ? '' : `-X${prefer} `}${shellWord(ref)}`;
}

export function runProgram(argv: readonly string[]): string {
  return `${argv.map(shellWord).join(' ')}; echo ${EXIT}$?`;
}

/** Undefined where it did not get that far. */
export function exitIn(result: string | undefined): number | undefined {
  const [, code] = [...(result ?? '').matchAll(new RegExp(`${EXIT}(\\d+)`, 'g'))].at(-1) ?? [];
  return code === undefined ? undefined : Number(code);
}
