/** Handles one request: computes its complexity, applies faults, and answers it. */
import {
  executePrepared,
  type GraphqlAnswer,
  prepareDocument,
  type WrittenError,
  writeError,
} from '../graphql/answer.ts';
import type { LinearRefusal } from '../model/refusal.ts';
import type { LinearCredential } from '../model/world.ts';
import type { LinearHttpResponse } from './answer.ts';
import { toBudgetHeaders } from './budgets.ts';
import type { LinearServerContext } from './server.ts';
import {
  clearPath,
  toFaultResponse,
  toPartialAnswer,
  toRateLimitResponse,
  type UnansweredOutcome,
} from './strike.ts';

/** Unauthenticated requests share one budget. */
const ANONYMOUS_ACCOUNT = 'nobody';

export function answerUnknown(desk: LinearServerContext, refusal: LinearRefusal): LinearHttpResponse {
  desk.seen.push({ name: 'refused', write: false, user: ANONYMOUS_ACCOUNT, complexity: 0, status: 401 });
  return {
    status: 401,
    headers: toBudgetHeaders(desk.budgets, ANONYMOUS_ACCOUNT),
    body: { errors: [writeError(refusal)] },
  };
}

export async function answerGraphql(
  desk: LinearServerContext,
  credential: LinearCredential,
  body: unknown,
): Promise<LinearHttpResponse | UnansweredOutcome> {
  const { id, name: user } = credential.user;
  const prepared = prepareDocument(body);
  const known = 'document' in prepared;
  const { name, write, complexity } = known ? prepared : { name: 'refused', write: false, complexity: 0 };
  const record = (answer: LinearHttpResponse | UnansweredOutcome): LinearHttpResponse | UnansweredOutcome => {
    const status = typeof answer === 'string' ? 0 : answer.status;
    desk.seen.push({ name, write, user, complexity, status });
    return answer;
  };
  const lacking = desk.budgets.take(id, complexity);
  const headers = toBudgetHeaders(desk.budgets, id, complexity);
  if (lacking !== undefined) return record(toRateLimitResponse(lacking, headers));
  if (!known) return record({ status: 400, headers, body: prepared });
  const struck = desk.faults.strike({ name, write });
  const carryOut = async (): Promise<LinearHttpResponse> => {
    const answer = await executePrepared(prepared, { world: desk.world, credential, url: desk.url });
    return { status: resolveHttpStatus(answer), headers, body: answer };
  };
  if (struck === undefined) return record(await carryOut());
  const isChanged = 'partial' in struck.answer || 'nulled' in struck.answer;
  const executed = struck.executed || isChanged ? await carryOut() : undefined;
  if (isChanged && executed !== undefined) {
    const answer = executed.body as GraphqlAnswer;
    const body =
      'nulled' in struck.answer ? clearPath(answer, struck.answer.nulled) : toPartialAnswer(answer);
    return record({ ...executed, body });
  }
  return record(toFaultResponse(struck.answer, desk.world.now(), headers));
}

/**
 * An error in a resolver has the status 200. An invalid document, or a feature that is not
 * simulated, has an error status.
 */
function resolveHttpStatus({ data, errors = [] }: GraphqlAnswer): number {
  const codes = errors.map(({ extensions }: WrittenError) => extensions.statusCode);
  if (codes.includes(501)) return 501;
  return data === undefined ? 400 : 200;
}
