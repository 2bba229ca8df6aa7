/** Creates a bare repository with an initial commit, ready to be served. */
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runGit } from './run-git.ts';

/**
 * Rejects direct pushes to protected branches. The environment of each push lists these branches.
 */
const UPDATE_HOOK = `#!/bin/sh
case " $SIMULATOR_PROTECTED " in
  *" $1 "*)
    echo "error: GH006: Protected branch update failed for $1." >&2
    echo "error: Changes must be made through a pull request." >&2
    exit 1
    ;;
esac
`;

const EXECUTABLE = 0o755;

interface StoredFile {
  readonly path: string;
  readonly content: Buffer;
  readonly mode: number;
}

/**
 * Cache of new repositories, by base branch and files. Tests create the same few repositories
 * hundreds of times, and each creation takes two processes.
 */
const NEW_REPOSITORIES = new Map<string, readonly StoredFile[]>();

export async function createBareRepository(
  folder: string,
  base: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const key = JSON.stringify([base, files]);
  const known = NEW_REPOSITORIES.get(key);
  if (known !== undefined) return writeFiles(folder, known);
  await makeRepository(folder, base, files);
  NEW_REPOSITORIES.set(key, readFiles(folder));
}

function readFiles(folder: string): readonly StoredFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({
      path: file.slice(folder.length + 1),
      content: readFileSync(file),
      mode: statSync(file).mode,
    }));
}

function writeFiles(folder: string, files: readonly StoredFile[]): void {
  for (const { path, content, mode } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content, { mode });
  }
}

async function makeRepository(
  folder: string,
  base: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await runGit(folder, ['init', '--quiet', '--bare', '--template=', `--initial-branch=${base}`, '.']);
  appendFileSync(join(folder, 'config'), SETTINGS);
  mkdirSync(join(folder, 'hooks'), { recursive: true });
  writeFileSync(join(folder, 'hooks/update'), UPDATE_HOOK, { mode: EXECUTABLE });
  await createInitialCommit(folder, base, files);
}

/** Written as one file, because a git process per setting would take most of the time. */
const SETTINGS = `
[http]
  receivepack = true
[uploadpack]
  allowAnySHA1InWant = true
  allowFilter = true
# A collection in the background would outlive the simulator.
[gc]
  auto = 0
[receive]
  autogc = false
`;

async function createInitialCommit(
  folder: string,
  base: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const parts = [
    `commit refs/heads/${base}\ncommitter GitHub <noreply@github.com> 1700000000 +0000\n${formatImportData('Initial commit')}`,
    ...Object.entries(files).map(
      ([path, text]) => `M 100644 inline ${JSON.stringify(path)}\n${formatImportData(text)}`,
    ),
  ];
  await runGit(folder, ['fast-import', '--quiet'], `${parts.join('\n')}\n`);
}

function formatImportData(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}`;
}
