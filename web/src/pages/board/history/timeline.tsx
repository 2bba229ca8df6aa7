/** The journal as a timeline whose moments can be selected, stepped through and played. */
import { memo, useEffect, useState } from 'react';
import type { DashboardBoard, JournalSpan } from '../../../../../src/protocol/dashboard.ts';
import type { BoardMoment } from '../../../api/queries.ts';
import { formatMoment, formatTime } from '../../../clock/format-time.ts';
import { Button, IconButton } from '../../../components/button.tsx';
import { setMoment } from './moment.ts';
import { findNextMoment } from './next-moment.ts';
import type { HistorySlider } from './use-slider.ts';

/** Duration of one playback step: long enough to see what moved. */
const PLAY_INTERVAL_MS = 700;
/** Number of slider positions, which is more than the slider has pixels. */
const POSITIONS = 2_000;

interface TimelineProps {
  /** Undefined if the board shows the present. */
  readonly moment: BoardMoment | undefined;
  /** The board at that moment, once loaded. */
  readonly board: DashboardBoard | undefined;
  readonly slider: HistorySlider;
}

export function Timeline({ moment, board, slider }: TimelineProps) {
  const { span, first, last, at, isNow, drag } = slider;
  const [isPlaying, setIsPlaying] = useState(false);
  const version = moment === undefined ? span?.last.version : board?.version;

  useEffect(() => {
    if (!isPlaying || span === undefined) return;
    const timer = setTimeout(() => {
      const next = findNextMoment(span, at);
      if (next === undefined) setIsPlaying(false);
      setMoment(next === undefined ? undefined : { at: next });
    }, PLAY_INTERVAL_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, span, at]);

  const isEmpty = span === undefined || span.last.version === 0;
  const step = (by: number) => {
    if (version === undefined || span === undefined) return;
    const next = version + by;
    setMoment(next >= span.last.version ? undefined : { version: Math.max(span.first.version, next) });
  };
  const togglePlaying = () => {
    // If the board shows the present, there is nothing left to play, so playback starts from the
    // beginning.
    if (!isPlaying && moment === undefined) setMoment({ at: first });
    setIsPlaying(!isPlaying);
  };
  return (
    <section className="timeline" aria-label="History">
      <div className="timeline-buttons">
        <IconButton
          icon={isPlaying ? 'pause' : 'play'}
          name={isPlaying ? 'Stop playing' : 'Play the history'}
          disabled={isEmpty}
          onClick={togglePlaying}
        />
        <IconButton
          icon="back"
          name="One event back"
          disabled={isEmpty || version === span.first.version}
          onClick={() => step(-1)}
        />
        <IconButton
          icon="forward"
          name="One event forward"
          disabled={isEmpty || moment === undefined}
          onClick={() => step(1)}
        />
      </div>
      <div className="timeline-line">
        {span !== undefined && <Histogram span={span} at={at} />}
        <input
          type="range"
          className="timeline-range"
          aria-label="Time shown on the board"
          aria-valuetext={isNow ? 'now' : formatMoment(at)}
          min={first}
          max={last}
          step={Math.max(1, (last - first) / POSITIONS)}
          value={at}
          disabled={isEmpty}
          onChange={(event) => {
            setIsPlaying(false);
            drag(Number(event.target.value));
          }}
        />
      </div>
      <div className="timeline-now">
        {isNow ? (
          <span className="timeline-live">Now</span>
        ) : (
          <>
            <span className="number" title={formatMoment(at)}>
              {formatTime(at)}
            </span>
            <Button onClick={() => setMoment(undefined)}>Now</Button>
          </>
        )}
      </div>
    </section>
  );
}

/** Shows the activity over time behind the slider. */
function Histogram({ span, at }: { readonly span: JournalSpan; readonly at: number }) {
  const share = (at - span.first.at) / Math.max(1, span.last.at - span.first.at);
  return (
    <svg className="histogram" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
      <Bars parts={span.parts} />
      {/* Covers the time after the selected moment. */}
      <rect className="histogram-after" x={share} y="0" width={Math.max(0, 1 - share)} height="1" />
    </svg>
  );
}

/**
 * Bar heights use the square root, so that a quiet hour is visible beside a busy one. Every bar has
 * a visible minimum height.
 */
const Bars = memo(function Bars({ parts }: { readonly parts: JournalSpan['parts'] }) {
  const max = Math.max(1, ...parts.map(({ count }) => count));
  const width = 1 / Math.max(1, parts.length);
  const bars = parts.map(({ count }, index) => {
    if (count === 0) return '';
    const height = Math.max(0.12, Math.sqrt(count / max));
    return `M${(index * width).toFixed(5)} 1v-${height.toFixed(3)}h${(width * 0.8).toFixed(5)}v${height.toFixed(3)}z`;
  });
  return <path className="histogram-bars" d={bars.join('')} />;
});
