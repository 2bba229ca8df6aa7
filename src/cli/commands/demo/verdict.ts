/** The exit of a demo: 0 only where every issue is Done and the sample project's tests pass on its main branch. */
import { LegionError } from '../../../core/model/fault.ts';
import type { Result } from './run.ts';

export function verdictOn({ summary, unfinished, differs }: Result, withinMs: number): undefined {
  const { ok, tests, folder } = summary;
  if (ok) return undefined;
  if (unfinished.length > 0) {
    const says = [`not finished within ${withinMs / 1_000} s, in ${folder}:`, ...unfinished];
    throw new LegionError('demo.unfinished', says.join('\n'));
  }
  if (tests?.passed === true && differs.length > 0)
    throw new LegionError('demo.board_differs', [`in ${folder}:`, ...differs].join('\n'));
  if (tests?.passed === true)
    throw new LegionError('demo.unfinished', `an issue has left Done again, in ${folder}`);
  throw new LegionError('demo.tests_failed', `at ${tests?.sha} of ${folder}: ${tests?.output ?? 'not run'}`);
}
