/** Describes one violation: its location, the problem and the next step. */

/** Every rule that a module can violate. The planted violations cover all of them. */
export type Rule =
  | 'syntax'
  | 'unknown module'
  | 'import direction'
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
  | 'directory size'
  | 'opening sentence'
  | 'empty name';

export interface Violation {
  readonly rule: Rule;
  readonly file: string;
  readonly line: number;
  readonly wrong: string;
  readonly next: string;
}

/** Formats a violation as one line that starts with its location, so that an editor can jump to it. */
export function describeViolation(violation: Violation): string {
  return `${violation.file}:${violation.line} [${violation.rule}] ${violation.wrong}; ${violation.next}`;
}
