/** The problems of an issue's own record, as every view shows them. */
import type { Issue } from '../../domain/issue.ts';

/** Undefined where there are none, so that the field is absent on the wire. */
export function problemTexts({ problems = [] }: Issue): string[] | undefined {
  return problems.length === 0 ? undefined : problems.map(({ text }) => text);
}
