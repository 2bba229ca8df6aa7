/**
 * Environment variables as a plain record, the names that callers may not set for a worker, and the
 * variables and keys that mark workers and demos. Only the outermost entry points read the
 * process's own environment.
 */

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/**
 * The variable that marks every process of an attempt, even after its parents exit. Hosts set it
 * and search for it.
 */
export const MARKER_VARIABLE = 'LEGION_MARKER';

const LOADER_VARIABLES = [
  'NODE_OPTIONS',
  'NODE_PATH',
  'LD_.*',
  'DYLD_.*',
  'BASH_ENV',
  'ENV',
  'PYTHONPATH',
  'PYTHONSTARTUP',
  'PERL5.*',
  'RUBYOPT',
  'JAVA_TOOL_OPTIONS',
] as const;
const IDENTITY_VARIABLES = ['GIT_.*', 'PATH', 'HOME', 'LEGION_.*'] as const;

const REFUSED_VARIABLES = [...LOADER_VARIABLES, ...IDENTITY_VARIABLES].join('|');

/**
 * Matches names of variables that POSIX shells pass to child processes and that may be set for a
 * worker.
 */
export const WORKER_VARIABLE = new RegExp(`^(?!(?:${REFUSED_VARIABLES})$)[A-Za-z_][A-Za-z0-9_]*$`);

const REFUSED_VARIABLE = new RegExp(`^(?:${REFUSED_VARIABLES})$`);

/**
 * Returns true for variables that callers may never set for a worker, because they decide which
 * code the worker's programs load, or which programs and identity the worker uses.
 */
export function isRefusedVariable(name: string): boolean {
  return REFUSED_VARIABLE.test(name);
}

/** Matches the only variable names that a POSIX shell passes to child processes. */
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Names of variables that usually hold secrets. */
const SECRET_NAME =
  /TOKEN|SECRET|PASS(?:W|PHRASE|_|$)|CREDENTIAL|COOKIE|PRIVATE|SIGNATURE|KEY$|(?:^|_)(?:KEY|PAT|PW|AUTH|DSN|SALT)(?:_|$)/i;

/**
 * Values that are secrets whatever the variable's name: well-known prefixes, a password in a URL, a
 * private key.
 */
const SECRET_VALUE =
  /^(?:gh[opsur]_|github_pat_|sk-|xox[a-z]-|glpat-|lin_|AKIA|lw1\.|Bearer |Basic )|:\/\/[^/\s:@]*:[^/\s@]+@|-----BEGIN/;

/** Returns why a caller may not set this variable for a worker, or undefined if the caller may. */
export function findVariableProblem(name: string, value: string): string | undefined {
  if (!VARIABLE_NAME.test(name)) return 'is not a valid name for an environment variable';
  if (/^legion_/i.test(name)) return 'is reserved for Legion';
  if (value.includes('\0')) return 'has a NUL character in its value';
  if (isSecretVariable(name, value)) return 'looks like a secret and would be stored in the journal';
  return undefined;
}

/** Returns whether the variable's name or value looks like a secret. */
export function isSecretVariable(name: string, value: string): boolean {
  return SECRET_NAME.test(name) || SECRET_VALUE.test(value);
}

/**
 * Key in a repository's local git configuration that marks a demo repository, so that scripted work
 * stays apart from real work. The demo sets it to `true`.
 */
export const DEMO_MARK = 'legion.demo';

/** Shown in every view while the scripted agent is in use. */
export const SCRIPTED_BANNER = 'Scripted agent: no real work is done.';

/**
 * The flag that turns `legion` into a worker's own command. It comes first on the command line of
 * the `legion` on a worker's PATH, and applies regardless of the environment.
 */
export const AS_WORKER_FLAG = '--as-worker';
