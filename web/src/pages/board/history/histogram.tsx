/** How much happened when, behind the slider. */
import { memo } from 'react';
import type { JournalSpan } from '../../../../../src/protocol/dashboard.ts';

interface HistogramProps {
  readonly span: JournalSpan;
  readonly at: number;
}

export function Histogram({ span, at }: HistogramProps) {
  const share = (at - span.first.at) / Math.max(1, span.last.at - span.first.at);
  return (
    <svg className="histogram" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
      <Bars parts={span.parts} />
      {/* What lies after the moment that is looked at. */}
      <rect className="histogram-after" x={share} y="0" width={Math.max(0, 1 - share)} height="1" />
    </svg>
  );
}

/** The root shows a quiet hour beside a busy one; a bar that is there at all can be seen. */
const Bars = memo(function Bars({ parts }: { readonly parts: JournalSpan['parts'] }) {
  const most = Math.max(1, ...parts.map(({ count }) => count));
  const width = 1 / Math.max(1, parts.length);
  const bars = parts.map(({ count }, index) => {
    if (count === 0) return '';
    const height = Math.max(0.12, Math.sqrt(count / most));
    return `M${(index * width).toFixed(5)} 1v-${height.toFixed(3)}h${(width * 0.8).toFixed(5)}v${height.toFixed(3)}z`;
  });
  return <path className="histogram-bars" d={bars.join('')} />;
});
