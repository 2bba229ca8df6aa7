/** Which names a branch of a pull request may have. */
import { LegionError, shown } from '../core/model/fault.ts';

/** A reference is a file: 255 bytes are the limit of one name, and git adds ".lock". */
const LONGEST = 240;

/** Space, control characters and what git gives a meaning of its own. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
const FORBIDDEN = /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\uFFFD/;

/** The rules of `git check-ref-format --branch`, without a process; `$(id)` is a valid name, and harmless in a list. */
export function isBranchName(name: string): boolean {
  if (name === '' || name === '@' || name === 'HEAD' || Buffer.byteLength(name) > LONGEST) return false;
  if (!name.isWellFormed() || FORBIDDEN.test(name)) return false;
  if (/^[-/]|[/.]$/.test(name) || name.startsWith('refs/')) return false;
  return name.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'));
}

/** On a file system that ignores case, "Main" is "main". */
export function refuseBranch(name: string, base: string): void {
  if (!isBranchName(name)) throw new LegionError('forge.branch_refused', `${shown(name)} is no branch name`);
  if (name.toLowerCase() === base.toLowerCase()) {
    throw new LegionError('forge.branch_refused', `${shown(name)} is the base branch`);
  }
}
