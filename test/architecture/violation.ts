/** One broken rule: where, what is wrong, and what to do about it. */

/** Every rule has a name; the planted violations must cover each. */
export type Rule =
  | 'syntax'
  | 'unknown room'
  | 'arrow'
  | 'implementation'
  | 'outside src'
  | 'hidden import'
  | 'pure import'
  | 'pure global'
  | 'pure throw'
  | 'module state'
  | 'web package'
  | 'web markup'
  | 'process exit'
  | 'process environment'
  | 'file size'
  | 'opening sentence'
  | 'empty name';

export interface Violation {
  readonly rule: Rule;
  readonly file: string;
  readonly line: number;
  readonly wrong: string;
  readonly next: string;
}

/** One line, with the place first so that an editor can jump to it. */
export function describeViolation(violation: Violation): string {
  return `${violation.file}:${violation.line} [${violation.rule}] ${violation.wrong}; ${violation.next}`;
}
