/** The frame of a chart: its title, what it says in a sentence, the drawing, and the same as a table for whoever prefers that. */
import { type ReactNode, type RefCallback, useState } from 'react';
import { Icon } from '../components/icon.tsx';

interface ChartProps {
  readonly title: string;
  /** All that matters of it, for those who hear it too. */
  readonly summary: string;
  /** What is under the pointer, in place of the summary. */
  readonly hint: string | null;
  readonly sheet: Sheet;
  /** Said where there is nothing to draw. */
  readonly empty: string;
  /** Pixels; it does not depend on what is drawn, so that nothing jumps. */
  readonly height: number;
  /** Drawn in a box of this width and the given height; undefined where there is nothing. */
  readonly draw: ((width: number) => ReactNode) | undefined;
  readonly legend?: ReactNode;
}

/** Pixels in which a table shows a few rows; it scrolls by itself. */
const TABLE_LEAST = 130;

export function Chart({ title, summary, hint, sheet, empty, height, draw, legend }: ChartProps) {
  const [isTable, setIsTable] = useState(false);
  const [measure, width] = useWidth();
  return (
    <figure className="chart">
      <figcaption className="chart-head">
        <h3>{title}</h3>
        {draw !== undefined && (
          <button
            type="button"
            className="chart-toggle"
            aria-pressed={isTable}
            aria-label={`Show ${title.toLowerCase()} as table`}
            onClick={() => setIsTable(!isTable)}
          >
            Table
          </button>
        )}
        <p className={hint === null ? 'chart-says' : 'chart-says is-hint'}>{hint ?? summary}</p>
      </figcaption>
      <div
        ref={measure}
        className="chart-room"
        style={{ height: isTable ? Math.max(height, TABLE_LEAST) : height }}
      >
        {draw === undefined ? (
          <p className="chart-empty">
            <Icon name="fleet" size={20} />
            {empty}
          </p>
        ) : isTable ? (
          <ChartTable name={title} sheet={sheet} />
        ) : (
          width > 0 && (
            <svg
              className="chart-drawing"
              width={width}
              height={height}
              role="img"
              aria-label={`${title}. ${summary}`}
            >
              {draw(width)}
            </svg>
          )
        )}
      </div>
      {legend !== undefined && draw !== undefined && !isTable && <div className="chart-legend">{legend}</div>}
    </figure>
  );
}

interface Sheet {
  readonly columns: readonly string[];
  /** The first cell names its row. */
  readonly rows: readonly (readonly string[])[];
}

/** A chart's numbers in rows. */
function ChartTable({ name, sheet }: { readonly name: string; readonly sheet: Sheet }) {
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

/** 0 until it has been laid out, which is before anything is painted. */
function useWidth(): readonly [RefCallback<HTMLElement>, number] {
  const [width, setWidth] = useState(0);
  const [measure] = useState(() => (element: HTMLElement | null) => {
    if (element === null) return;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  });
  return [measure, width];
}
