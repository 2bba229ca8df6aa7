/** The parts of an issue's page; the address names the one that is open. Pure. */

export const TABS = [
  { id: 'issue', says: 'Issue' },
  { id: 'timeline', says: 'Timeline' },
  { id: 'transcript', says: 'Transcript' },
  { id: 'diff', says: 'Diff' },
  { id: 'ci', says: 'CI' },
  { id: 'gates', says: 'Gates' },
  { id: 'handoffs', says: 'Handoffs' },
  { id: 'attempts', says: 'Attempts' },
  { id: 'discussion', says: 'Discussion' },
] as const;

export type TabId = (typeof TABS)[number]['id'];

/** They fill what is left of the window and scroll by themselves. */
export const FILLING: ReadonlySet<TabId> = new Set<TabId>(['transcript', 'diff']);

export function readTab(fields: URLSearchParams): TabId {
  const wanted = fields.get('tab');
  return TABS.find(({ id }) => id === wanted)?.id ?? 'issue';
}
