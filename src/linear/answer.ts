/** Reads an answer of Linear without trust in its form. */
import { parseJson } from '../lib/json.ts';

export interface LinearAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Of GraphQL; undefined where the body has none. */
  readonly data: unknown;
  readonly errors: unknown;
  /** Of a body that is not GraphQL's; empty where it has none. */
  readonly text: string;
}

/** Resolves to undefined for a body that claims to be JSON and is broken. */
export async function readAnswer(response: Response): Promise<LinearAnswer | undefined> {
  const { status, headers } = response;
  const read = await response.text();
  const isJson = headers.get('content-type')?.startsWith('application/json') === true;
  if (!isJson) return { status, headers, data: undefined, errors: undefined, text: read };
  const body = parseJson(read);
  if (body === undefined) return undefined;
  if (typeof body !== 'object' || body === null)
    return { status, headers, data: undefined, errors: undefined, text: textOf(body) };
  const { data, errors, error } = body as Readonly<Record<'data' | 'errors' | 'error', unknown>>;
  return { status, headers, data, errors, text: textOf(error) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
