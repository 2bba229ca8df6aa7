/** Shown instead of the columns when no issue matches the search and the filters. */
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { type Filter, ONLY_WORDS } from './filter.ts';
import { clearFilter } from './filter-bar.tsx';

export function NoMatch({ filter }: { readonly filter: Filter }) {
  const { words } = filter;
  const narrowed = describe(filter);
  const title =
    words.length === 0 ? 'No issue matches these filters' : `No issue matches “${words.join(' ')}”`;
  const clears =
    words.length === 0
      ? 'Clear filters'
      : narrowed.length === 0
        ? 'Clear search'
        : 'Clear search and filters';
  return (
    <div className="board-room">
      <EmptyState icon="search" title={title}>
        <p>
          {narrowed.length > 0
            ? `Only issues ${narrowed.join(', ')} are searched.`
            : 'The search looks at ids, titles, labels, workers and pull request numbers.'}
        </p>
        <Button onClick={clearFilter}>{clears}</Button>
      </EmptyState>
    </div>
  );
}

function describe({ label, mode, only }: Filter): readonly string[] {
  return [
    ...(label === undefined ? [] : [`with the label ${label}`]),
    ...(mode === undefined ? [] : [`with a worker in mode ${mode}`]),
    ...(only === undefined ? [] : [`under “${ONLY_WORDS[only]}”`]),
  ];
}
