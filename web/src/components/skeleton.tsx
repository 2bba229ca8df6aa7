/** The place of something that is on its way, in its final size, so that nothing jumps when it comes. */

interface SkeletonProps {
  /** Any CSS length. */
  readonly width?: string;
  readonly height?: string;
}

export function Skeleton({ width = '100%', height = '1em' }: SkeletonProps) {
  return <span className="skeleton" style={{ width, height }} aria-hidden="true" />;
}

export function SkeletonLines({ count }: { readonly count: number }) {
  const widths = ['92%', '78%', '85%', '64%'];
  return (
    <div className="skeleton-lines" aria-hidden="true">
      {Array.from({ length: count }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines without content have nothing but their place.
        <Skeleton key={line} width={widths[line % widths.length] ?? '80%'} />
      ))}
    </div>
  );
}
