/**
 * Makes sure that the operator has agreed to what real workers may do and spend before any of them
 * starts.
 */
import {
  type AgentTrust,
  findWidening,
  readConsent,
  recordConsent,
  toRequestedTrust,
} from '../../../../config/consent.ts';
import { loadConfig, readLegionFile } from '../../../../config/legion/resolve.ts';
import { withBudgets } from '../../../../config/legion/write.ts';
import { LegionError } from '../../../../core/model/fault.ts';
import { formatDollars } from '../../../../core/model/format.ts';
import { unwrap } from '../../../../lib/result.ts';
import { askConfirmation, askText, isInteractive } from '../../../ask-person.ts';
import type { LegionLocation } from '../../../legion-location.ts';
import { getOperatorName } from '../../../parse-names.ts';
import { printPage, renderFields, renderHeading } from '../../../present/page.ts';
import type { CommandContext } from '../../../program/define-command.ts';
import { findConfigProblem } from '../../setup/init/answers.ts';
import { writeConfigFile } from '../../setup/init/write.ts';

export interface ConsentResult {
  readonly location: LegionLocation;
  /** True if the operator has just agreed. */
  readonly isNew: boolean;
}

interface ConsentOptions {
  /** True if the operator agreed in advance with `--yes`. */
  readonly yes: boolean;
  /** True if a program reads the output. */
  readonly json: boolean;
}

/**
 * This message is true no matter which question the person cancels, because budgets and consent are
 * written only after the last answer.
 */
const NOTHING_DONE_MESSAGE = 'Nothing was started or written.';

/**
 * Asks the operator to agree, unless the operator already has. Rejects with `consent.required` if
 * there is neither an agreement nor a person to ask.
 */
export async function ensureConsent(
  location: LegionLocation,
  { yes, json }: ConsentOptions,
  context: CommandContext,
): Promise<ConsentResult> {
  const requested = toRequestedTrust(location.resolved.config);
  if (requested === undefined) return { location, isNew: false };
  const wider = findWidening(requested, unwrap(readConsent(location.state)));
  if (wider.length === 0) return { location, isNew: false };
  if (!json) printPage(context, renderConsentPage(requested, location, getOperatorName()));
  if (yes) return recordAgreement(location, requested);
  if (json || !isInteractive(context))
    throw new LegionError(
      'consent.required',
      `Starting ${requested.agents.join(', ')} needs your consent: ${wider.join('; ')}.`,
    );
  const settled = await askBudgets(location, requested, context);
  const answer = await askConfirmation(context, 'Start workers on these terms?', false);
  if (answer !== true) throw new LegionError('usage.cancelled', NOTHING_DONE_MESSAGE);
  return recordAgreement(saveBudgets(location, settled, context), settled);
}

function recordAgreement(location: LegionLocation, trust: AgentTrust): ConsentResult {
  unwrap(recordConsent(location.state, trust, { by: getOperatorName(), at: Date.now() }));
  return { location, isNew: true };
}

/** Asks for the budgets, except those that were set by flags. */
async function askBudgets(
  { flags }: LegionLocation,
  requested: AgentTrust,
  context: CommandContext,
): Promise<AgentTrust> {
  const ask = async (question: string, key: string, present: number | 'none') => {
    if (flags.some((flag) => flag.key === key)) return present;
    const validate = (value: string) => findConfigProblem(key, value);
    const text = await askText(context, question, String(present), validate, NOTHING_DONE_MESSAGE);
    return text.trim() === 'none' ? 'none' : Number(text);
  };
  const { budgets } = requested;
  const issueUsd = await ask(
    'Budget per issue in dollars (0 starts no workers, "none" is unlimited)',
    'budgets.issue.usd',
    budgets.issueUsd,
  );
  const dayUsd = await ask('Budget per day in dollars', 'budgets.day.usd', budgets.dayUsd);
  return { ...requested, budgets: { ...budgets, issueUsd, dayUsd } };
}

/** Writes the budgets to the file, so that every later start has the same limits. */
function saveBudgets(
  location: LegionLocation,
  { budgets }: AgentTrust,
  { env }: CommandContext,
): LegionLocation {
  const { issue, day } = location.resolved.config.budgets;
  const isSame = (issue.usd ?? 'none') === budgets.issueUsd && (day.usd ?? 'none') === budgets.dayUsd;
  if (isSame || !location.file.named) return location;
  writeConfigFile(location.file.path, withBudgets(unwrap(readLegionFile(location.file.path)), budgets));
  return {
    ...location,
    resolved: unwrap(loadConfig(location.file, { flags: location.flags, environment: env })),
  };
}

/**
 * Renders the terms that a person agrees to before the first real worker starts. They fit on one
 * screen and are wrapped when printed.
 */
function renderConsentPage({ agents, budgets }: AgentTrust, location: LegionLocation, user: string): string {
  const agentNames = agents.join(', ');
  return [
    renderHeading('Before the first worker starts'),
    renderFields([
      [
        '  Permissions',
        [
          `${agentNames} runs as your user (${user}), without a sandbox and without asking for permission (its permission checks are bypassed).`,
          'It can run any command, use the network, and read and change every file that you can, including keys and other repositories.',
        ].join(' '),
      ],
      [
        '  Costs',
        [
          `${formatDollarLimit(budgets.issueUsd)} per issue and ${formatDollarLimit(budgets.dayUsd)} per day, until local midnight.`,
          'When a budget is used up, running workers are stopped and no workers start.',
          `Agents that report no cost (codex) are limited by tokens instead: ${formatTokenLimit(budgets.issueTokens)} per issue, ${formatTokenLimit(budgets.dayTokens)} per day.`,
          ...(Object.values(budgets).includes(0)
            ? ['One of these limits is 0, so no workers will start.']
            : []),
        ].join('\n'),
      ],
      ['  Changes', describeChanges(location)],
      [
        '  How to stop',
        [
          'legion halt           stops every worker and starts no new ones; also works without a daemon',
          'legion stop --all     the same',
          'legion down --stop    stops the workers and the daemon',
        ].join('\n'),
      ],
    ]),
    '\n',
  ].join('');
}

function describeChanges({ resolved: { config } }: LegionLocation): string {
  if (config.forge === 'github')
    return 'Branches, pull requests and merges on GitHub. Your own checkout is not changed.';
  return 'Each merge fast-forwards the base branch of this repository, but never overwrites uncommitted changes. Nothing else in your checkout changes.';
}

function formatDollarLimit(limit: number | 'none'): string {
  return limit === 'none' ? 'no cost limit' : `at most ${formatDollars(limit)}`;
}

function formatTokenLimit(limit: number | 'none'): string {
  return limit === 'none' ? 'unlimited' : limit.toLocaleString('en');
}
