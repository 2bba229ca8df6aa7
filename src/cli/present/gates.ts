/** The conditions of a merge as a checklist. */
import { styleText } from 'node:util';
import type { GatesView } from '../../protocol/operator.ts';
import { measureWidth, padTo } from './fit.ts';
import { safeLine } from './safe.ts';
import { VERDICT_MARKS } from './words.ts';

type Condition = GatesView['preMerge'][number];

export function checklist(conditions: readonly Condition[]): string {
  const width = Math.max(0, ...conditions.map(({ name }) => measureWidth(name)));
  return conditions.map((condition) => `  ${line(condition, width)}\n`).join('');
}

function line({ name, verdict, evidence }: Condition, width: number): string {
  const { mark, style } = VERDICT_MARKS[verdict];
  return `${styleText(style, mark)} ${padTo(safeLine(name.replaceAll('_', ' ')), width)}  ${safeLine(evidence)}`.trimEnd();
}
