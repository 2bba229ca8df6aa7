/** What REST's answer holds for its caller: data, the mark to ask with again, the next page. */
import type { RestAnswer } from './client.ts';
import type { Answer } from './transport.ts';

export function restAnswer<T>({ status, headers, data }: Answer): RestAnswer<T> {
  const { etag, link = '' } = headers;
  const next = /<([^>]+)>;\s*rel="next"/.exec(link)?.[1];
  return {
    data: status === 304 ? undefined : (asText(data) as T),
    ...(etag !== undefined && { etag }),
    ...(next !== undefined && { next }),
  };
}

/** Logs come as bytes of no stated kind. */
function asText(data: unknown): unknown {
  return data instanceof ArrayBuffer ? new TextDecoder().decode(data) : data;
}
