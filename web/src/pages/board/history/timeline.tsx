/** The journal as a line in time: each moment of it can be looked at, stepped through and played. */
import { memo, useEffect, useState } from 'react';
import type { Board, JournalSpan } from '../../../../../src/protocol/dashboard.ts';
import type { Moment } from '../../../api/queries.ts';
import { moment as momentWords, time } from '../../../clock/words.ts';
import { Button, IconButton } from '../../../components/button.tsx';
import { lookAt } from './moment.ts';
import { nextMoment } from './next-moment.ts';
import type { Slider } from './use-slider.ts';

/** One step of playing: long enough to see what moved. */
const PLAY_EVERY_MS = 700;
/** Positions of the slider; finer than it has pixels. */
const POSITIONS = 2_000;

interface TimelineProps {
  /** Undefined in the present. */
  readonly moment: Moment | undefined;
  /** The board of that moment, once it is there. */
  readonly shown: Board | undefined;
  readonly slider: Slider;
}

export function Timeline({ moment, shown, slider }: TimelineProps) {
  const { span, first, last, at, isNow, drag } = slider;
  const [isPlaying, setIsPlaying] = useState(false);
  const version = moment === undefined ? span?.last.version : shown?.version;

  useEffect(() => {
    if (!isPlaying || span === undefined) return;
    const timer = setTimeout(() => {
      const next = nextMoment(span, at);
      if (next === undefined) setIsPlaying(false);
      lookAt(next === undefined ? undefined : { at: next });
    }, PLAY_EVERY_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, span, at]);

  const isEmpty = span === undefined || span.last.version === 0;
  const step = (by: number) => {
    if (version === undefined || span === undefined) return;
    const next = version + by;
    lookAt(next >= span.last.version ? undefined : { version: Math.max(span.first.version, next) });
  };
  const play = () => {
    // From the end there is nothing to play: it begins anew.
    if (!isPlaying && moment === undefined) lookAt({ at: first });
    setIsPlaying(!isPlaying);
  };
  return (
    <section className="timeline" aria-label="History">
      <div className="timeline-buttons">
        <IconButton
          icon={isPlaying ? 'pause' : 'play'}
          name={isPlaying ? 'Stop playing' : 'Play the history'}
          disabled={isEmpty}
          onClick={play}
        />
        <IconButton
          icon="back"
          name="One event back"
          disabled={isEmpty || version === span.first.version}
          onClick={() => step(-1)}
        />
        <IconButton
          icon="forward"
          name="One event on"
          disabled={isEmpty || moment === undefined}
          onClick={() => step(1)}
        />
      </div>
      <div className="timeline-line">
        {span !== undefined && <Histogram span={span} at={at} />}
        <input
          type="range"
          className="timeline-range"
          aria-label="Moment of the board"
          aria-valuetext={isNow ? 'now' : momentWords(at)}
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
            <span className="number" title={momentWords(at)}>
              {time(at)}
            </span>
            <Button onClick={() => lookAt(undefined)}>Now</Button>
          </>
        )}
      </div>
    </section>
  );
}

/** How much happened when, behind the slider. */
function Histogram({ span, at }: { readonly span: JournalSpan; readonly at: number }) {
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
