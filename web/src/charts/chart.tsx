/**
 * Frame of a chart: its title, a summary sentence, the drawing, and on request a table of the same
 * data.
 */
import { type ReactNode, type RefCallback, useState } from 'react';
import { Icon } from '../components/icon.tsx';

interface ChartProps {
  readonly title: string;
  /** Summary of the chart, also read by screen readers. */
  readonly summary: string;
  /** Description of the item under the pointer, which replaces the summary. */
  readonly hint: string | null;
  readonly sheet: ChartSheet;
  /** Text shown if there is nothing to draw. */
  readonly empty: string;
  /** Height in pixels. It does not depend on the data, so the layout does not jump. */
  readonly height: number;
  /**
   * Draws the chart in the given width and in the height above. Undefined if there is nothing to
   * draw.
   */
  readonly draw: ((width: number) => ReactNode) | undefined;
  readonly legend?: ReactNode;
}

/**
 * Minimum height in pixels of the table, enough for a few rows. If there are more, the table
 * scrolls.
 */
const MIN_TABLE_PX = 130;

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
            aria-label={`Show ${title.toLowerCase()} as a table`}
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
        style={{ height: isTable ? Math.max(height, MIN_TABLE_PX) : height }}
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

interface ChartSheet {
  readonly columns: readonly string[];
  /** The first cell is the row's header. */
  readonly rows: readonly (readonly string[])[];
}

/** Shows a chart's numbers as a table. */
function ChartTable({ name, sheet }: { readonly name: string; readonly sheet: ChartSheet }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can scroll it only with the focus.
    <section className="chart-table" tabIndex={0} aria-label={`${name} as a table`}>
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
            // biome-ignore lint/suspicious/noArrayIndexKey: two rows may have the same name.
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

/**
 * Returns the element's width, which is 0 until the layout has been computed. That happens before
 * the first paint.
 */
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
