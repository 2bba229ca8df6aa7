/** What is looked at alike at GitHub and Linear: the secret of webhooks, and what is left of the budget. */
import { readReference } from '../../../config/reference.ts';
import type { ApiBudget } from '../../../core/model/api-budget.ts';
import { span } from '../../../domain/format.ts';
import type { CommandContext } from '../../command.ts';
import { bad, type Finding, ok, warn } from './finding.ts';

export function webhooks(
  service: 'github' | 'linear',
  reference: string | undefined,
  { env }: CommandContext,
): Finding {
  const what = service === 'github' ? 'webhooks' : 'webhooks of Linear';
  if (reference === undefined) return ok(what, 'no secret is set, so none are taken: Legion polls');
  const secret = readReference(reference, env);
  return secret.ok
    ? ok(what, `a secret is set; deliveries to /webhooks/${service} are taken`)
    : bad(what, `credentials.webhooks.${service}: ${secret.fault.message}`, secret.fault.next);
}

/** Below this share the daemon already looks less often. */
const FEW = 0.1;

/** `more`: what gives more of it. */
export function budgetLeft(what: string, budget: ApiBudget | undefined, more: string): readonly Finding[] {
  if (budget === undefined) return [];
  const { limit, remaining, resetsAt } = budget;
  const says = `${remaining} of ${limit} left; all back in ${span(Math.max(0, resetsAt - Date.now()))}`;
  const next = `Nothing has to be done: Legion looks less often. ${more}`;
  return [remaining < limit * FEW ? warn(what, says, next) : ok(what, says)];
}
