/** One request to the API: what it weighs, whether it is struck, what it says. */
import {
  executePrepared,
  type GraphqlAnswer,
  prepareDocument,
  type WrittenError,
  writeError,
} from '../graphql/answer.ts';
import type { LinearRefusal } from '../model/refusal.ts';
import type { Credential } from '../model/world.ts';
import type { Answer } from './answer.ts';
import { budgetHeaders } from './budgets.ts';
import type { Desk } from './server.ts';
import { halved, limited, nulled, strike, type Unanswered } from './strike.ts';

/** Those who are not known have a budget together. */
const NOBODY = 'nobody';

export function answerUnknown(desk: Desk, refusal: LinearRefusal): Answer {
  desk.seen.push({ name: 'refused', write: false, user: NOBODY, complexity: 0, status: 401 });
  return {
    status: 401,
    headers: budgetHeaders(desk.budgets, NOBODY),
    body: { errors: [writeError(refusal)] },
  };
}

export async function answerGraphql(
  desk: Desk,
  credential: Credential,
  body: unknown,
): Promise<Answer | Unanswered> {
  const { id, name: user } = credential.user;
  const prepared = prepareDocument(body);
  const known = 'document' in prepared;
  const { name, write, complexity } = known ? prepared : { name: 'refused', write: false, complexity: 0 };
  const record = (answer: Answer | Unanswered): Answer | Unanswered => {
    const status = typeof answer === 'string' ? 0 : answer.status;
    desk.seen.push({ name, write, user, complexity, status });
    return answer;
  };
  const lacking = desk.budgets.take(id, complexity);
  const headers = budgetHeaders(desk.budgets, id, complexity);
  if (lacking !== undefined) return record(limited(lacking, headers));
  if (!known) return record({ status: 400, headers, body: prepared });
  const struck = desk.faults.strike({ name, write });
  const carryOut = async (): Promise<Answer> => {
    const answer = await executePrepared(prepared, { world: desk.world, credential, url: desk.url });
    return { status: statusOf(answer), headers, body: answer };
  };
  if (struck === undefined) return record(await carryOut());
  const isChanged = 'partial' in struck.answer || 'nulled' in struck.answer;
  const executed = struck.executed || isChanged ? await carryOut() : undefined;
  if (isChanged && executed !== undefined) {
    const answer = executed.body as GraphqlAnswer;
    const body = 'nulled' in struck.answer ? nulled(answer, struck.answer.nulled) : halved(answer);
    return record({ ...executed, body });
  }
  return record(strike(struck.answer, desk.world.now(), headers));
}

/** What a resolver refuses is told within a good answer; what never reached one, and what is not simulated, is not. */
function statusOf({ data, errors = [] }: GraphqlAnswer): number {
  const codes = errors.map(({ extensions }: WrittenError) => extensions.statusCode);
  if (codes.includes(501)) return 501;
  return data === undefined ? 400 : 200;
}
