/** Checks the subjects of all commits after the one in `.commits-checked-since`. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const MAX_SUBJECT_CHARACTERS = 72;
const TYPES = 'build|chore|ci|docs|feat|fix|mechanical|perf|refactor|revert|style|test';
const SUBJECT = new RegExp(`^(?:${TYPES})(?:\\([a-z0-9-]+\\))?: \\S.*[^.]$`);

const root = process.argv[2] ?? join(import.meta.dirname, '..');
process.exitCode = checkCommits(root);

function checkCommits(folder: string): number {
  if (!existsSync(join(folder, '.git'))) return reportSkipped('this directory has no .git');
  const since = readFileSync(join(folder, '.commits-checked-since'), 'utf8').trim();
  // A shallow clone may lack the commit.
  if (!isKnown(folder, since)) return reportSkipped(`this clone does not contain ${since}`);
  const problems = listCommits(folder, since).flatMap(({ sha, subject }) =>
    describeProblems(subject).map((problem) => `${sha} ${subject}\n  ${problem}`),
  );
  for (const problem of problems) console.error(problem);
  return problems.length === 0 ? 0 : 1;
}

function describeProblems(subject: string): string[] {
  const problems: string[] = [];
  if (!SUBJECT.test(subject)) {
    problems.push(
      `Write "type(scope): imperative summary" without a full stop. Types: ${TYPES.replaceAll('|', ', ')}.`,
    );
  }
  if (subject.length > MAX_SUBJECT_CHARACTERS) {
    problems.push(`${subject.length} characters; at most ${MAX_SUBJECT_CHARACTERS} are allowed.`);
  }
  return problems;
}

function listCommits(folder: string, since: string): { sha: string; subject: string }[] {
  const log = runGit(folder, 'log', '--no-merges', '--format=%h%x00%s', `${since}..HEAD`).trim();
  return log === ''
    ? []
    : log.split('\n').map((line) => {
        const [sha = '', subject = ''] = line.split('\0');
        return { sha, subject };
      });
}

function isKnown(folder: string, sha: string): boolean {
  try {
    runGit(folder, 'merge-base', '--is-ancestor', sha, 'HEAD');
    return true;
  } catch {
    return false;
  }
}

function runGit(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-C', folder, ...args], { stdio: ['ignore', 'pipe', 'ignore'] }).toString();
}

function reportSkipped(why: string): number {
  console.log(`Commit subjects are not checked: ${why}.`);
  return 0;
}
