/** Returns one page of a REST list, with the `link` header to the next. */
import type { GithubHttpResponse } from '../http/answer.ts';
import type { RestRequest } from './route.ts';

/** GitHub's default. */
const DEFAULT_SIZE = 30;
const MAX_PER_PAGE = 100;

export function toPageResponse(
  asked: RestRequest,
  all: readonly unknown[],
  wrap: (page: readonly unknown[]) => unknown = (page) => page,
): GithubHttpResponse {
  const size = Math.min(MAX_PER_PAGE, Number(asked.query.get('per_page') ?? DEFAULT_SIZE) || DEFAULT_SIZE);
  const page = Math.max(1, Number(asked.query.get('page') ?? 1) || 1);
  const shown = all.slice((page - 1) * size, page * size);
  const more = page * size < all.length;
  return {
    status: 200,
    ...(more ? { headers: { link: `<${buildNextPageUrl(asked, page + 1)}>; rel="next"` } } : {}),
    body: wrap(shown),
  };
}

function buildNextPageUrl({ query, path, desk }: RestRequest, page: number): string {
  const next = new URLSearchParams(query);
  next.set('page', String(page));
  return `${desk.url}${path}?${next}`;
}
