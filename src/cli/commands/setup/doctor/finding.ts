/** Builds the findings of `legion doctor`, and runs the checks that GitHub and Linear share. */

import { readReference } from '../../../../config/secret-reference.ts';
import type { ApiBudget } from '../../../../core/model/api-budget.ts';
import { LegionError } from '../../../../core/model/fault.ts';
import { formatDuration } from '../../../../core/model/format.ts';
import { readDaemonFile } from '../../../daemon-address.ts';
import type { CommandContext } from '../../../program/define-command.ts';

export interface DoctorFinding {
  readonly what: string;
  /** `warn`: works, but needs attention. `bad`: prevents Legion from working. */
  readonly verdict: 'ok' | 'warn' | 'bad';
  readonly says: string;
  readonly next?: string;
}

export function reportOk(subject: string, message: string): DoctorFinding {
  return { what: subject, verdict: 'ok', says: message };
}

export function reportWarning(subject: string, message: string, next: string): DoctorFinding {
  return { what: subject, verdict: 'warn', says: message, next };
}

export function reportProblem(subject: string, message: string, next: string): DoctorFinding {
  return { what: subject, verdict: 'bad', says: message, next };
}

/** Converts a coded error into a finding. Any other error is a bug and is rethrown. */
export function reportFault(subject: string, error: unknown): DoctorFinding {
  if (!(error instanceof LegionError)) throw error;
  return reportProblem(subject, `${error.message} [${error.code}]`, error.fault.next);
}

/**
 * Describes how to approve commands. If no daemon is running, the first step is to start one,
 * because only a running daemon accepts an approval. If a daemon is running, returns
 * `defaultSteps`.
 */
export function describeApprovalSteps(state: string, defaultSteps: string): string {
  return readDaemonFile(state) === undefined
    ? 'Run `legion up` to start the daemon, then run `legion approve --commands` to read and approve them.'
    : defaultSteps;
}

/** Checks the webhook secret of GitHub or Linear. */
export function inspectWebhooks(
  service: 'github' | 'linear',
  reference: string | undefined,
  { env }: CommandContext,
): DoctorFinding {
  const subject = service === 'github' ? 'webhooks' : 'Linear webhooks';
  if (reference === undefined)
    return reportOk(subject, 'no secret is set, so Legion accepts no webhooks and polls instead');
  const secret = readReference(reference, env);
  return secret.ok
    ? reportOk(subject, `accepted at /webhooks/${service}; the secret is set`)
    : reportProblem(subject, `credentials.webhooks.${service}: ${secret.fault.message}`, secret.fault.next);
}

/** Below this share of the budget, the daemon already polls less often. */
const LOW_BUDGET_SHARE = 0.1;

/** Checks the remaining API budget. `advice` explains how to get a larger budget. */
export function inspectApiBudget(
  subject: string,
  budget: ApiBudget | undefined,
  advice: string,
): readonly DoctorFinding[] {
  if (budget === undefined) return [];
  const { limit, remaining, resetsAt } = budget;
  const message = `${remaining} of ${limit} left; resets in ${formatDuration(Math.max(0, resetsAt - Date.now()))}`;
  const next = `No action needed: Legion polls less often. ${advice}`;
  return [
    remaining < limit * LOW_BUDGET_SHARE ? reportWarning(subject, message, next) : reportOk(subject, message),
  ];
}
