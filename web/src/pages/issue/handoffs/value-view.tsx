/** Any JSON as text that can be read: objects as terms and what they say, lists as lists, everything else as it is. */
import type { ReactNode } from 'react';
import { plain } from '../../../text/plain.ts';

/** Deeper than anybody writes by hand; below it the JSON itself is shown. */
const DEEPEST = 6;
/** Longer lists are cut: a handoff is read by people. */
const LIST_MOST = 200;

interface ValueViewProps {
  readonly value: unknown;
  readonly depth?: number;
}

export function ValueView({ value, depth = 0 }: ValueViewProps): ReactNode {
  if (typeof value === 'string') return <span className="text">{plain(value)}</span>;
  if (typeof value !== 'object' || value === null) return <code>{String(value)}</code>;
  if (depth >= DEEPEST) return <code className="text">{plain(JSON.stringify(value))}</code>;
  if (Array.isArray(value)) return <List of={value} depth={depth} />;
  return <Terms of={Object.entries(value)} depth={depth} />;
}

function List({ of, depth }: { readonly of: readonly unknown[]; readonly depth: number }) {
  if (of.length === 0) return <span className="faint">none</span>;
  // A few words need no list.
  if (of.length === 1 || of.every((entry) => typeof entry === 'number')) {
    return of.length === 1 ? <ValueView value={of[0]} depth={depth + 1} /> : <code>{of.join(', ')}</code>;
  }
  return (
    <ul className="bullets">
      {of.slice(0, LIST_MOST).map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a list that is written once has nothing but its order.
        <li key={index}>
          <ValueView value={entry} depth={depth + 1} />
        </li>
      ))}
      {of.length > LIST_MOST && <li className="faint">and {of.length - LIST_MOST} more</li>}
    </ul>
  );
}

export function Terms({
  of,
  depth = 0,
}: {
  readonly of: readonly (readonly [string, unknown])[];
  readonly depth?: number;
}) {
  if (of.length === 0) return <span className="faint">none</span>;
  return (
    <dl className="terms">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{plain(name.replaceAll('_', ' '))}</dt>
          <dd>
            <ValueView value={value} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
