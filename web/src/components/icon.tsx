/**
 * Small icons beside text. An icon without text gets its accessible name from the button around it.
 */

const PATHS = {
  board: 'M3 3.5h3.5v9H3zM8.25 3.5h3.5v6h-3.5zM13.5 3.5H17v12h-3.5z',
  inbox: 'M3 11.5 5.2 4h9.6L17 11.5V16H3zM3 11.5h4l1 2h4l1-2h4',
  fleet: 'M3 15.5V9.5M7.7 15.5V4.5M12.3 15.5V7.5M17 15.5v-4',
  issue: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM10 8.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3z',
  search: 'M9 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM13 13l4 4',
  plus: 'M10 4v12M4 10h12',
  more: 'M4.5 10h.01M10 10h.01M15.5 10h.01',
  close: 'M5 5l10 10M15 5 5 15',
  play: 'M6.5 4.5v11l9-5.5z',
  pause: 'M7 4.5v11M13 4.5v11',
  back: 'M12 4.5 6.5 10l5.5 5.5',
  forward: 'M8 4.5 13.5 10 8 15.5',
  down: 'M4.5 8 10 13.5 15.5 8',
  clock: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM10 6v4.2l2.8 1.8',
  bell: 'M5.5 8.5a4.5 4.5 0 0 1 9 0c0 4 1.5 5 1.5 5H4s1.5-1 1.5-5zM8.5 16.5h3',
  pull: 'M6 6v8M6 4.5a1.5 1.5 0 1 0 0 .01M6 15.5a1.5 1.5 0 1 0 0 .01M14 15.5a1.5 1.5 0 1 0 0 .01M14 14V9c0-2-1-3-3-3H9.5M11.5 4l-2 2 2 2',
  blocked: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM5.2 5.2l9.6 9.6',
  check: 'M4 10.5 8 14.5 16 5.5',
  sun: 'M10 7a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM10 2.5v1.5M10 16v1.5M2.5 10H4M16 10h1.5M4.7 4.7l1 1M14.3 14.3l1 1M4.7 15.3l1-1M14.3 5.7l1-1',
  moon: 'M15.5 12A6.5 6.5 0 0 1 8 4.5 6 6 0 1 0 15.5 12z',
  system: 'M3 4h14v9H3zM7.5 16.5h5M10 13v3.5',
  leave: 'M8 4H4v12h4M8.5 10H17M13.5 6.5 17 10l-3.5 3.5',
  keyboard: 'M2.5 5.5h15v9h-15zM5.5 8.5h.01M8.5 8.5h.01M11.5 8.5h.01M14.5 8.5h.01M6 11.5h8',
  filter: 'M3 5h14M5.5 10h9M8 15h4',
} as const;

export type IconName = keyof typeof PATHS;

/** A dot is a line of zero length. It is as wide as the stroke. */
const DOT = 2.4;

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" width={size} height={size} aria-hidden="true">
      <path d={PATHS[name]} strokeWidth={name === 'more' ? DOT : undefined} />
    </svg>
  );
}
