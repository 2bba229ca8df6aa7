/** A fetch whose answer is there to its last byte, or not at all. */
import { LegionError } from '../domain/fault.ts';

/** A page of 100 issues with bodies as long as GitHub allows is 26 MB; more is not held in memory. */
const ANSWER_MAX_BYTES = 64 * 1024 * 1024;

/** These have no body, and `Response` refuses one for them. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Octokit would take a body that breaks off for an empty one. */
export async function wholeAnswer(url: string, init: RequestInit): Promise<Response> {
  const { status, headers, body } = await fetch(url, init);
  const bytes = await wholeBody(body);
  return new Response(WITHOUT_BODY.has(status) ? null : bytes, { status, headers });
}

async function wholeBody(body: Response['body']): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the rest.
    if (size > ANSWER_MAX_BYTES)
      throw new LegionError('github.unavailable', `GitHub’s answer is larger than ${ANSWER_MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
