/** One page of a REST list, with the `link` header to the next. */
import type { Answer } from '../http/answer.ts';
import type { Asked } from './route.ts';

/** GitHub's own. */
const DEFAULT_SIZE = 30;
const MOST = 100;

export function paged(
  asked: Asked,
  all: readonly unknown[],
  wrap: (page: readonly unknown[]) => unknown = (page) => page,
): Answer {
  const size = Math.min(MOST, Number(asked.query.get('per_page') ?? DEFAULT_SIZE) || DEFAULT_SIZE);
  const page = Math.max(1, Number(asked.query.get('page') ?? 1) || 1);
  const shown = all.slice((page - 1) * size, page * size);
  const more = page * size < all.length;
  return {
    status: 200,
    ...(more ? { headers: { link: `<${nextAddress(asked, page + 1)}>; rel="next"` } } : {}),
    body: wrap(shown),
  };
}

function nextAddress({ query, path, desk }: Asked, page: number): string {
  const next = new URLSearchParams(query);
  next.set('page', String(page));
  return `${desk.url}${path}?${next}`;
}
