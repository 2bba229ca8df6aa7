/** What a person is asked about any board: what its columns mean, and whether labels may be made on it. */
import type { ColumnNames, Status } from '../../../core/model/status.ts';
import { cancelled, chosen, confirmed } from '../../ask-person.ts';
import type { Columns } from '../../columns.ts';
import type { CommandContext } from '../../command.ts';

const NEW = '\u0000new';

/** Only where the board has columns that mean nothing to Legion yet; `free` are those that a status could have. */
export async function askColumns(
  columns: Columns,
  context: CommandContext,
  free: (status: Status) => readonly string[] = () => columns.others,
): Promise<ColumnNames> {
  const names: Partial<Record<Status, readonly string[]>> = {};
  const taken = new Set<string>();
  for (const status of columns.missing) {
    const left = free(status).filter((column) => !taken.has(column));
    if (left.length === 0) continue;
    const choices = [
      { value: NEW, label: 'none of them' },
      ...left.map((column) => ({ value: column, label: column })),
    ];
    const answer = await chosen(context, `Which column is ${status}`, choices, NEW);
    if (answer === NEW) continue;
    names[status] = [answer];
    taken.add(answer);
  }
  return names;
}

export async function askMakeLabels(count: number, context: CommandContext): Promise<boolean> {
  return agreed(`Make the ${count} labels that are missing?`, context);
}

/** Enter agrees. */
export async function agreed(question: string, context: CommandContext): Promise<boolean> {
  const answer = await confirmed(context, question, true);
  if (answer === undefined) throw cancelled();
  return answer;
}
