/** Which commands a repository seems to have, by the files that lie in it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readTextFile } from '../../../../config/text-file.ts';

export type ProposedCommands = Readonly<
  Partial<Record<'setup' | 'quality_gate' | 'test' | 'ci', readonly string[]>>
>;

const MANIFEST_MOST_BYTES = 1_024 * 1_024;
const manifestSchema = z.looseObject({ scripts: z.record(z.string(), z.string()).default({}) });

/** What `npm init` writes is no test. */
const NO_TEST = /no test specified/;
/** The first that is there; each is quick and says whether the code is sound. */
const QUALITY_SCRIPTS: readonly string[] = ['check', 'lint', 'typecheck'];

/** By lock file, because the manifest seldom says which program it is for. */
const PACKAGE_PROGRAMS: readonly (readonly [lock: string, program: string, setup: readonly string[]])[] = [
  ['pnpm-lock.yaml', 'pnpm', ['pnpm', 'install', '--frozen-lockfile']],
  ['yarn.lock', 'yarn', ['yarn', 'install', '--immutable']],
  ['bun.lock', 'bun', ['bun', 'install', '--frozen-lockfile']],
  ['package-lock.json', 'npm', ['npm', 'ci']],
];

/** Where no manifest says more, the usual commands of a language. */
const USUAL: readonly (readonly [file: string, test: readonly string[], quality?: readonly string[]])[] = [
  ['Cargo.toml', ['cargo', 'test'], ['cargo', 'check']],
  ['go.mod', ['go', 'test', './...'], ['go', 'vet', './...']],
  ['pyproject.toml', ['python', '-m', 'pytest']],
];

export function proposeCommands(folder: string): ProposedCommands {
  const has = (file: string) => existsSync(join(folder, file));
  if (has('package.json')) return fromManifest(folder, has);
  const [found] = USUAL.filter(([file]) => has(file));
  if (found !== undefined) {
    const [, test, quality] = found;
    return { ...(quality !== undefined && { quality_gate: quality }), test, ci: test };
  }
  const makefile = readTextFile(join(folder, 'Makefile'), MANIFEST_MOST_BYTES, 'links');
  if (!makefile.ok || !/^test:/m.test(makefile.value)) return {};
  return { test: ['make', 'test'], ci: ['make', 'test'] };
}

function fromManifest(folder: string, has: (file: string) => boolean): ProposedCommands {
  const scripts = scriptsIn(join(folder, 'package.json'));
  const [, program, setup] = PACKAGE_PROGRAMS.find(([lock]) => has(lock)) ?? ['', 'npm', undefined];
  const quality = QUALITY_SCRIPTS.find((name) => scripts[name] !== undefined);
  const { test: script } = scripts;
  const hasTest = script !== undefined && !NO_TEST.test(script);
  const test = [program, 'test'];
  const commands = {
    ...(quality !== undefined && { quality_gate: [program, 'run', quality] }),
    ...(hasTest && { test, ci: test }),
  };
  // Setting up is of no use where nothing is run afterwards.
  return Object.keys(commands).length > 0 && setup !== undefined ? { setup, ...commands } : commands;
}

function scriptsIn(path: string): Readonly<Record<string, string>> {
  const text = readTextFile(path, MANIFEST_MOST_BYTES, 'links');
  if (!text.ok) return {};
  try {
    return manifestSchema.safeParse(JSON.parse(text.value)).data?.scripts ?? {};
  } catch {
    return {}; // a manifest that cannot be read proposes nothing
  }
}
