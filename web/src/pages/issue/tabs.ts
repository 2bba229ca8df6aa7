/** The tabs of an issue's page. The address specifies which one is open. Pure. */

export const TABS = [
  { id: 'issue', label: 'Issue' },
  { id: 'timeline', label: 'Timeline' },
  { id: 'transcript', label: 'Transcript' },
  { id: 'diff', label: 'Diff' },
  { id: 'ci', label: 'CI' },
  { id: 'gates', label: 'Gates' },
  { id: 'handoffs', label: 'Handoffs' },
  { id: 'attempts', label: 'Attempts' },
  { id: 'discussion', label: 'Discussion' },
] as const;

export type TabId = (typeof TABS)[number]['id'];

/** These tabs fill the rest of the window and scroll on their own. */
export const FILLING: ReadonlySet<TabId> = new Set<TabId>(['transcript', 'diff']);

export function readTab(fields: URLSearchParams): TabId {
  const wanted = fields.get('tab');
  return TABS.find(({ id }) => id === wanted)?.id ?? 'issue';
}
