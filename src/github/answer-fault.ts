/** Which fault an answer's status and form are, whichever of the two APIs gave it. */
import { type FaultCode, LegionError } from '../core/model/fault.ts';
import { quoteAnswer } from '../lib/text/redact.ts';
import type { RateLimit } from './rate-limit.ts';
import { saidIn } from './said-in.ts';
import type { Answer, Outgoing } from './transport.ts';

const BY_STATUS: ReadonlyMap<number, FaultCode> = new Map([
  [401, 'github.unauthorized'],
  [403, 'github.forbidden'],
  [404, 'github.missing'],
  [408, 'github.unavailable'],
  [410, 'github.missing'],
]);

export function answerFault(
  answer: Answer,
  { route, etag }: Outgoing,
  secret: string,
): LegionError | undefined {
  const { status, headers } = answer;
  const { location = 'somewhere else' } = headers;
  const fault = (code: FaultCode, says: string) =>
    new LegionError(code, `${shownRoute(route)}: ${quoteAnswer(says, [secret])}`);
  const page = pageIn(answer);
  if (page !== undefined)
    return fault('github.unavailable', `answered ${status} with ${page}, not with data of GitHub`);
  if (status === 304)
    return etag === undefined ? fault('github.unavailable', 'answered 304 to no etag') : undefined;
  if (status >= 200 && status < 300) return undefined;
  if (status < 400) return fault('github.missing', `has moved to ${location}`);
  const code = BY_STATUS.get(status) ?? (status >= 500 ? 'github.unavailable' : 'github.refused');
  return fault(code, `answered ${status}${colon(saidIn(answer))}`);
}

/** Tells whoever waits how long, in the message for people and in `retryAt` for the loop; `why` is fit to be shown. */
export function limitFault({ until }: RateLimit, who: string, why: string): LegionError {
  const time = new Date(until).toISOString();
  const says = `GitHub takes no more requests of ${who} until ${time}${colon(why)}`;
  return new LegionError('github.rate_limited', says, { retryAt: until });
}

/** The path without its host: short, and the same on every GitHub. */
function shownRoute(route: string): string {
  return `GitHub ${route.replace(/https?:\/\/[^/]+/, '')}`;
}

/** Somebody between us and GitHub answers with a page of HTML; a broken connection with half a document. */
function pageIn({ headers, data, status }: Answer): string | undefined {
  const type = headers['content-type'] ?? '';
  if (/^text\/html|^application\/xhtml/i.test(type)) return 'a page of HTML';
  // "Nothing has changed" has a type, but no body.
  const isBroken = typeof data === 'string' && status < 500 && status !== 304;
  if (/^application\/json/i.test(type) && isBroken) return 'broken JSON';
  return undefined;
}

function colon(says: string): string {
  return says === '' ? '' : `: ${says}`;
}
