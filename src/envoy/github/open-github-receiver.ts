/** Receives GitHub's webhooks: verifies, remembers, answers, and only then does what follows from them. */

import { verify } from '@octokit/webhooks-methods';
import type { Clock } from '../../domain/clock.ts';
import { readEvent } from '../../integrations/github/webhooks/read-event.ts';
import { type SigningScheme, signedText } from '../../integrations/webhook-support/signed-text.ts';
import { openDeliveries } from '../deliveries.ts';
import { headerOf, jsonOf } from '../delivery-parts.ts';
import type { Addressed } from '../pending.ts';
import { openPending } from '../pending.ts';
import type { Receiver, WakeUp } from '../receiver.ts';
import type { ReceiverOptions } from '../receiver-options.ts';
import {
  type CheckSeen,
  type Checks,
  type Closed,
  closeDue,
  closesAt,
  NO_CHECKS,
  withCheck,
} from './check-fold.ts';
import type { CheckSummary } from './check-summary.ts';
import { githubTopic } from './topics.ts';

/** GitHub can send a form instead. */
const NOT_JSON = 'choose application/json as the content type of the webhook';

export function openGithubReceiver(options: ReceiverOptions): Receiver {
  const { secret, accounts, clock, onTrouble } = options;
  const deliveries = openDeliveries(options.deliveries, clock, onTrouble);
  const pending = openPending(options);
  const checks = foldChecks(clock, pending.add);
  return {
    async receive(delivery) {
      const text = await signedText(delivery, secret(), GITHUB_SIGNATURE);
      // Neither header is signed. A lie in them changes what is looked at, never what is found there.
      const event = headerOf(delivery, 'GitHub', 'x-github-event', /^[a-z\d_]{1,100}$/);
      const id = headerOf(delivery, 'GitHub', 'x-github-delivery', /^[A-Za-z\d-]{1,100}$/);
      const findings = readEvent(event, jsonOf(text, NOT_JSON), accounts());
      if (findings === undefined || !deliveries.isNew(id)) return { accepted: false };
      pending.add(findings.wake, findings.notices);
      checks.take(findings.checks);
      return { accepted: true };
    },
    async close() {
      checks.close();
      pending.close();
    },
  };
}

/** The library signs text, whose bytes are those that came. */
const GITHUB_SIGNATURE: SigningScheme = {
  service: 'GitHub',
  header: 'X-Hub-Signature-256',
  form: /^sha256=[0-9a-f]{64}$/,
  isOf: (signature, { text }, secret) => verify(secret, text, signature),
};

type Out = (wakeUps: readonly WakeUp[], notices: readonly Addressed[]) => void;

interface FoldingChecks {
  take(seen: readonly CheckSeen[]): void;
  close(): void;
}

/** Collects check events, and emits a summary and a wake-up when the window of a commit closes. */
function foldChecks(clock: Clock, out: Out): FoldingChecks {
  let checks: Checks = NO_CHECKS;
  let isWaiting = false;
  const ending = new AbortController();

  /** One sleeper is enough: what comes in while it sleeps is never due before that for which it sleeps. */
  async function letOut(): Promise<void> {
    isWaiting = true;
    for (let at = closesAt(checks); at !== undefined; at = closesAt(checks)) {
      await clock.sleep(at - clock.monotonic(), ending.signal);
      const due = closeDue(checks, clock.monotonic());
      checks = due.checks;
      out(
        [...due.closed.map(wakeUpOf), ...(due.isLossy ? (['everything'] as const) : [])],
        due.closed.flatMap(noticesOf),
      );
    }
    isWaiting = false;
  }

  return {
    take(seen) {
      if (ending.signal.aborted) return;
      for (const each of seen) checks = withCheck(checks, each, clock.monotonic());
      // Rejects only when it is closed.
      if (!isWaiting) letOut().catch(() => undefined);
    },
    close: () => ending.abort(),
  };
}

/** Whether or not the summary is news: what was told before may have been wrong, and the forge knows. */
function wakeUpOf({ commit: { owner, repo, sha, branches, pullRequests } }: Closed): WakeUp {
  return { commit: { owner, repo, sha, branches, pullRequests } };
}

/** One for each pull request; where GitHub named none, because it is from a fork or not opened yet, one for the commit. */
function noticesOf({ commit, summary }: Closed): readonly Addressed[] {
  if (summary === undefined) return [];
  const { owner, repo, sha, pullRequests } = commit;
  const tell = (topic: string, what: string, number: number | null): Addressed => ({
    topic,
    notice: {
      text: said(`${owner}/${repo}${what}`, summary),
      data: {
        ...{ repository: `${owner}/${repo}`, sha, number },
        ...{ verdict: summary.verdict, failing: summary.failing },
      },
    },
  });
  if (pullRequests.length === 0) {
    return [tell(githubTopic(commit, 'commit', sha, 'ci'), `@${sha.slice(0, 12)}`, null)];
  }
  return pullRequests.map((number) => tell(githubTopic(commit, 'pr', number, 'ci'), `#${number}`, number));
}

function said(where: string, { verdict, failing }: CheckSummary): string {
  return `${where}: checks are ${verdict}${failing.length > 0 ? ` (${failing.join(', ')})` : ''}`;
}
