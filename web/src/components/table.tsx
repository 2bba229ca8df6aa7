/** A table: names of columns that stay in sight, numbers to the right, and on a narrow screen it scrolls by itself. */
import type { ReactNode } from 'react';

export interface Column<R> {
  readonly id: string;
  readonly says: string;
  readonly isNumber?: boolean;
  cell(row: R): ReactNode;
}

interface TableProps<R> {
  readonly name: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  keyOf(row: R): string;
  /** Instead of rows where there are none. */
  readonly empty: string;
}

export function Table<R>({ name, columns, rows, keyOf, empty }: TableProps<R>) {
  return (
    <section className="table-frame" aria-label={name}>
      <table className="table">
        <thead>
          <tr>
            {columns.map(({ id, says, isNumber }) => (
              <th key={id} scope="col" className={isNumber === true ? 'number' : undefined}>
                {says}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ id, isNumber, cell }) => (
                <td key={id} className={isNumber === true ? 'number' : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
          {rows.length === 0 && (
            <tr>
              <td colSpan={columns.length} className="faint">
                {empty}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  );
}
