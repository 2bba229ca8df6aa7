/** Makes sure that the operator has agreed to what real workers may do and spend, before any of them starts. */
import {
  type AgentTrust,
  findWidening,
  readConsent,
  recordConsent,
  trustAskedBy,
} from '../../../config/consent.ts';
import { readGiven } from '../../../config/legion/given.ts';
import { loadConfig, readLegionFile } from '../../../config/legion/load.ts';
import { withBudgets } from '../../../config/legion/write-budgets.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { dollars } from '../../../domain/format.ts';
import { unwrap } from '../../../lib/result.ts';
import { confirmed, isInteractive, typed } from '../../ask-person.ts';
import type { CommandContext } from '../../command.ts';
import type { Place } from '../../legion-location.ts';
import { operatorName } from '../../operator.ts';
import { fields, heading } from '../../present/page.ts';
import { printPage } from '../../present/print.ts';
import { writeWhole } from '../setup/init/write.ts';

export interface SettledConsent {
  readonly place: Place;
  /** Somebody has agreed just now. */
  readonly isNew: boolean;
}

interface ConsentWishes {
  /** `--yes`: agreed in advance. */
  readonly yes: boolean;
  /** A machine reads what is printed. */
  readonly json: boolean;
}

/** True at each question: budgets and consent are written only after the last answer. */
const NOTHING_DONE = 'nothing was started or written';

/** Rejects with `consent.required` where nobody can be asked and nobody has agreed in advance. */
export async function settleConsent(
  place: Place,
  { yes, json }: ConsentWishes,
  context: CommandContext,
): Promise<SettledConsent> {
  const asked = trustAskedBy(place.resolved.config);
  if (asked === undefined) return { place, isNew: false };
  const wider = findWidening(asked, unwrap(readConsent(place.state)));
  if (wider.length === 0) return { place, isNew: false };
  if (!json) printPage(context, consentPage(asked, place, operatorName()));
  if (yes) return agree(place, asked);
  if (json || !isInteractive(context))
    throw new LegionError('consent.required', `${asked.agents.join(', ')} would start: ${wider.join('; ')}.`);
  const settled = await askBudgets(place, asked, context);
  const answer = await confirmed(context, 'Start workers on these terms?', false);
  if (answer !== true) throw new LegionError('usage.cancelled', NOTHING_DONE);
  return agree(keepBudgets(place, settled, context), settled);
}

function agree(place: Place, trust: AgentTrust): SettledConsent {
  unwrap(recordConsent(place.state, trust, { by: operatorName(), at: Date.now() }));
  return { place, isNew: true };
}

/** Flags have answered already. */
async function askBudgets({ flags }: Place, asked: AgentTrust, context: CommandContext): Promise<AgentTrust> {
  const ask = async (question: string, key: string, present: number | 'none') => {
    if (flags.some((flag) => flag.key === key)) return present;
    const complain = (given: string) => complainAbout(key, given);
    const text = await typed(context, question, String(present), complain, NOTHING_DONE);
    return text.trim() === 'none' ? 'none' : Number(text);
  };
  const { budgets } = asked;
  const issueUsd = await ask(
    'Budget per issue in dollars (0 starts nothing, none is unlimited)',
    'budgets.issue.usd',
    budgets.issueUsd,
  );
  const dayUsd = await ask('Budget per day in dollars', 'budgets.day.usd', budgets.dayUsd);
  return { ...asked, budgets: { ...budgets, issueUsd, dayUsd } };
}

function complainAbout(key: string, text: string): string | undefined {
  const read = readGiven([{ key, name: key, text }], 'usage.invalid');
  return read.ok ? undefined : read.problems[0]?.says;
}

/** Written to the file, so that every later start has the same limits. */
function keepBudgets(place: Place, { budgets }: AgentTrust, { env }: CommandContext): Place {
  const { issue, day } = place.resolved.config.budgets;
  const isSame = (issue.usd ?? 'none') === budgets.issueUsd && (day.usd ?? 'none') === budgets.dayUsd;
  if (isSame || !place.file.named) return place;
  writeWhole(place.file.path, withBudgets(unwrap(readLegionFile(place.file.path)), budgets));
  return { ...place, resolved: unwrap(loadConfig(place.file, { flags: place.flags, environment: env })) };
}

/** What a person agrees to before the first real worker starts: one screen, wrapped when it is printed. */
function consentPage({ agents, budgets }: AgentTrust, place: Place, user: string): string {
  const who = agents.join(', ');
  return [
    heading('Before the first worker starts'),
    fields([
      [
        '  What it may do',
        [
          `${who} runs as your user (${user}), without a sandbox, and asks nobody for permission (its permission checks are bypassed).`,
          'It can run any command, read and change every file that you can, keys and other repositories included, and use the network.',
        ].join(' '),
      ],
      [
        '  What it may cost',
        [
          `${inDollars(budgets.issueUsd)} per issue and ${inDollars(budgets.dayUsd)} per day, until local midnight.`,
          'When a budget is reached, running turns end and nothing starts.',
          `Agents that report no cost (codex) are limited by tokens instead: ${inTokens(budgets.issueTokens)} per issue, ${inTokens(budgets.dayTokens)} per day.`,
          ...(Object.values(budgets).includes(0) ? ['One of these is 0: no worker starts.'] : []),
        ].join('\n'),
      ],
      ['  What changes', changesIn(place)],
      [
        '  How to stop it',
        [
          'legion halt           stops every worker and starts none; it works without a daemon, too',
          'legion stop --all     the same',
          'legion down --stop    stops the workers and the daemon',
        ].join('\n'),
      ],
    ]),
    '\n',
  ].join('');
}

function changesIn({ resolved: { config } }: Place): string {
  if (config.forge === 'github')
    return 'Branches, pull requests and merges on GitHub. Your own checkout is left alone.';
  return 'A merge moves the base branch of this repository forward (a fast-forward), never over uncommitted changes to the same files. Nothing else in your checkout changes.';
}

function inDollars(limit: number | 'none'): string {
  return limit === 'none' ? 'no limit of money' : `at most ${dollars(limit)}`;
}

function inTokens(limit: number | 'none'): string {
  return limit === 'none' ? 'without a limit' : limit.toLocaleString('en');
}
