/** Variables a worker is never given by anybody else: they decide which code its programs load, or whose programs they are. */

const LOADERS = [
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
const IDENTITIES = ['GIT_.*', 'PATH', 'HOME', 'LEGION_.*'] as const;

const REFUSED = [...LOADERS, ...IDENTITIES].join('|');

/** A name that a POSIX shell hands on and that a worker may be given. */
export const WORKER_VARIABLE = new RegExp(`^(?!(?:${REFUSED})$)[A-Za-z_][A-Za-z0-9_]*$`);

const REFUSED_NAME = new RegExp(`^(?:${REFUSED})$`);

export function isRefusedVariable(name: string): boolean {
  return REFUSED_NAME.test(name);
}
