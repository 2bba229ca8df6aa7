/** A chart's numbers in rows. */

export interface Sheet {
  readonly columns: readonly string[];
  /** The first cell names its row. */
  readonly rows: readonly (readonly string[])[];
}

export function ChartTable({ name, sheet }: { readonly name: string; readonly sheet: Sheet }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and without the focus no key would scroll it.
    <section className="chart-table" tabIndex={0} aria-label={`${name} as table`}>
      <table className="table">
        <thead>
          <tr>
            {sheet.columns.map((column, index) => (
              <th key={column} scope="col" className={index === 0 ? undefined : 'number'}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sheet.rows.map(([first = '', ...rest], row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two rows may have one name, such as an issue that was done twice.
            <tr key={row}>
              <th scope="row">{first}</th>
              {rest.map((cell, index) => (
                <td key={sheet.columns[index + 1]} className="number">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
