/** What the reason a worker is called for has to tell: the failing check, the tester's report, the objections. */
import type { Command } from '../../core/model/command.ts';
import { LegionError } from '../../core/model/fault.ts';
import type { IssueRecord, SentBack } from '../../core/state/state.ts';
import type { Evidence } from '../../domain/evidence.ts';
import type { Forge, ForgePullRequest } from '../../ports/forge.ts';
import type { Told, ToldFacts } from '../prompt/told.ts';
import type { World } from '../world.ts';

/** The newest of them; older ones can be read with `legion worker issue`. */
const REMARKS_TOLD = 3;
const COMMENTS_TOLD = 5;

type Spawn = Extract<Command, { kind: 'spawn' }>;

export async function aboutPurpose(
  world: World,
  { issue, mode, purpose }: Spawn,
  record: IssueRecord | undefined,
  signal: AbortSignal,
): Promise<ToldFacts> {
  switch (purpose) {
    case 'plan_changes':
      return { told: { comments: await comments(world, issue, signal) } };
    // The forge is asked only where the reason speaks of the pull request: most starts do without.
    case 'ci_failure':
    case 'test_failure':
    case 'quality_gate':
    case 'review_changes':
    case 'missing_review':
    case 'conflict':
    case 'sent_back':
    case 'retro':
      return aboutPullRequest(world, { issue, purpose }, record, signal);
    case 'start':
      return { told: { earlier: mode === 'test' ? earlierVerdict(record) : undefined } };
    case 'crash':
      return { told: mode === 'implement' ? await whatWasToMend(world, issue, record, signal) : {} };
    default:
      return { told: {} };
  }
}

async function aboutPullRequest(
  { repositories }: World,
  { issue, purpose }: Pick<Spawn, 'issue' | 'purpose'>,
  record: IssueRecord | undefined,
  signal: AbortSignal,
): Promise<ToldFacts> {
  const { forge } = repositories.of(issue);
  const found = (await forge.pullRequests([issue], signal)).get(issue);
  const pullRequest = typeof found === 'object' ? found : undefined;
  const { test, quality_gate: gate } = record?.evidence ?? {};
  switch (purpose) {
    case 'ci_failure':
      return {
        pullRequest,
        told: { check: pullRequest && (await failingCheck(forge, pullRequest, signal)) },
      };
    case 'review_changes':
    case 'missing_review':
      return { pullRequest, told: { remarks: pullRequest && (await remarks(forge, pullRequest, signal)) } };
    case 'sent_back':
      return { pullRequest, told: { order: record?.sentBack && [order(record.sentBack)] } };
    case 'test_failure':
      return { pullRequest, commit: test?.sha, told: { report: test && [report(test)] } };
    case 'quality_gate':
      return { pullRequest, commit: gate?.sha, told: { output: gate && [output(gate)] } };
    default:
      return { pullRequest, told: {} };
  }
}

/**
 * An implementer that was sent back and died may begin with a new session, which has never heard why. What only helps must not
 * keep it waiting: where the forge cannot be read, it starts without.
 */
async function whatWasToMend(
  { repositories }: World,
  issue: string,
  record: IssueRecord | undefined,
  signal: AbortSignal,
): Promise<ToldFacts['told']> {
  const { test, quality_gate: gate } = record?.evidence ?? {};
  const fromJournal = {
    order: record?.sentBack && [order(record.sentBack)],
    ...(test?.verdict === 'failed' ? { report: [report(test)] } : {}),
    ...(gate?.verdict === 'failed' ? { output: [output(gate)] } : {}),
  };
  try {
    const { forge } = repositories.of(issue);
    const found = (await forge.pullRequests([issue], signal)).get(issue);
    if (typeof found !== 'object' || found.state !== 'open') return fromJournal;
    return {
      ...fromJournal,
      ...(found.ci === 'failing' ? { check: await failingCheck(forge, found, signal) } : {}),
      remarks: await remarks(forge, found, signal),
    };
  } catch (error) {
    if (error instanceof LegionError) return fromJournal;
    throw error;
  }
}

async function failingCheck(
  forge: Forge,
  { headSha }: ForgePullRequest,
  signal: AbortSignal,
): Promise<readonly Told[]> {
  const check = await forge.failingCheck(headSha, signal);
  if (check === undefined) return [];
  return [
    { kind: 'untrusted', what: 'The name of the failing check', text: check.name },
    { kind: 'untrusted', what: 'The end of its log', text: check.logTail, keep: 'end' },
  ];
}

/** What a reviewer has approved since is settled; one reviewer's approval settles nothing of another's. */
async function remarks(
  forge: Forge,
  { number }: ForgePullRequest,
  signal: AbortSignal,
): Promise<readonly Told[]> {
  const all = await forge.remarks(number, signal);
  return all
    .filter(
      ({ kind, by }, index) =>
        kind === 'changes_requested' &&
        !all.slice(index).some((later) => later.kind === 'approved' && later.by === by),
    )
    .slice(-REMARKS_TOLD)
    .map(({ by, text, outsider }) => ({
      kind: outsider === true ? 'untrusted' : 'order',
      what: 'Changes requested',
      text: `By ${by}:\n\n${text}`,
    }));
}

/** A tester that comes back begins with what it found before, and at which commit. */
function earlierVerdict(record: IssueRecord | undefined): readonly Told[] {
  const test = record?.evidence.test;
  if (test === undefined) return [];
  const text = `Verdict: ${test.verdict}\n${report(test).text}`;
  return [{ kind: 'untrusted', what: 'The verdict of the last test', text }];
}

function report({ sha, suites, detail }: Evidence): Told {
  const ran = suites.length === 0 ? 'none named' : suites.join(', ');
  return {
    kind: 'order',
    what: 'What the tester found',
    text: `At commit ${sha}\nSuites that ran: ${ran}\n\n${detail}`,
  };
}

function order({ by, why }: SentBack): Told {
  return { kind: 'order', what: `Why the ${by} worker sent it back`, text: why };
}

function output({ detail }: Evidence): Told {
  return { kind: 'untrusted', what: 'The end of the quality gate’s output', text: detail, keep: 'end' };
}

async function comments(world: World, issue: string, signal: AbortSignal): Promise<readonly Told[]> {
  const all = await world.tracker.commentsSince(issue, 0, signal);
  return all
    .filter(({ by }) => by !== 'outsider')
    .slice(-COMMENTS_TOLD)
    .map(({ author, by, text }) => ({
      kind: by === 'writer' ? 'decision' : 'order',
      what: 'A comment',
      text: `By ${author}:\n\n${text}`,
    }));
}
