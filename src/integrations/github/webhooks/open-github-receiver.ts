/**
 * Receives GitHub's webhooks: verifies, stores and acknowledges a delivery before acting on it, and
 * collects check events into summaries.
 */

import { verify } from '@octokit/webhooks-methods';
import type { Clock } from '../../../core/model/clock.ts';
import type { WakeUp, WebhookReceiver } from '../../../ports/webhooks.ts';
import { openDeliveryLog } from '../../webhook-support/deliveries.ts';
import {
  type AddressedNotice,
  openPendingQueue,
  type WebhookReceiverOptions,
} from '../../webhook-support/pending.ts';
import {
  parseSignedJson,
  readSignedText,
  requireHeader,
  type SigningScheme,
} from '../../webhook-support/signed-text.ts';
import {
  type CheckFoldState,
  type CheckObservation,
  type CheckSummary,
  type ClosedCheckWindow,
  closeDueWindows,
  findNextCloseTime,
  NO_CHECKS,
  withCheck,
} from './check-summary.ts';
import { buildGithubTopic } from './mention.ts';
import { readEvent } from './read-event.ts';

/** The webhook may be configured on GitHub to send a form instead of JSON. */
const NOT_JSON = 'set the webhook’s content type to application/json';

export function openGithubReceiver(options: WebhookReceiverOptions): WebhookReceiver {
  const { secret, accounts, clock, onError } = options;
  const deliveries = openDeliveryLog(options.deliveries, clock, onError);
  const pending = openPendingQueue(options);
  const checks = createCheckAggregator(clock, pending.add);
  return {
    async receive(delivery) {
      const text = await readSignedText(delivery, secret(), GITHUB_SIGNATURE);
      // These headers are not signed. A forged header can change what Legion reads from GitHub, but
      // never the data it finds there.
      const event = requireHeader(delivery, 'GitHub', 'x-github-event', /^[a-z\d_]{1,100}$/);
      const id = requireHeader(delivery, 'GitHub', 'x-github-delivery', /^[A-Za-z\d-]{1,100}$/);
      const findings = readEvent(event, parseSignedJson(text, NOT_JSON), accounts());
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

/**
 * GitHub's library verifies text instead of bytes. Encoding the text yields the bytes of the
 * received body.
 */
const GITHUB_SIGNATURE: SigningScheme = {
  service: 'GitHub',
  header: 'X-Hub-Signature-256',
  form: /^sha256=[0-9a-f]{64}$/,
  isOf: (signature, { text }, secret) => verify(secret, text, signature),
};

type EmitCheckResults = (wakeUps: readonly WakeUp[], notices: readonly AddressedNotice[]) => void;

interface CheckAggregator {
  take(observations: readonly CheckObservation[]): void;
  close(): void;
}

/** Collects check events and emits a summary and a wake-up when a commit's window closes. */
function createCheckAggregator(clock: Clock, emit: EmitCheckResults): CheckAggregator {
  let checks: CheckFoldState = NO_CHECKS;
  let isWaiting = false;
  const ending = new AbortController();

  /**
   * One timer is enough, because an event that arrives while the timer sleeps is never due before
   * the timer ends.
   */
  async function emitDue(): Promise<void> {
    isWaiting = true;
    for (let at = findNextCloseTime(checks); at !== undefined; at = findNextCloseTime(checks)) {
      await clock.sleep(at - clock.monotonic(), ending.signal);
      const due = closeDueWindows(checks, clock.monotonic());
      checks = due.checks;
      emit(
        [...due.closed.map(toCommitWakeUp), ...(due.isLossy ? (['everything'] as const) : [])],
        due.closed.flatMap(buildCheckNotices),
      );
    }
    isWaiting = false;
  }

  return {
    take(observations) {
      if (ending.signal.aborted) return;
      for (const each of observations) checks = withCheck(checks, each, clock.monotonic());
      // The promise rejects only when the receiver is closed.
      if (!isWaiting) emitDue().catch(() => undefined);
    },
    close: () => ending.abort(),
  };
}

/**
 * Creates a wake-up even if the summary is unchanged, because an earlier summary may have been
 * wrong and only the forge has the actual state.
 */
function toCommitWakeUp({ commit: { owner, repo, sha, branches, pullRequests } }: ClosedCheckWindow): WakeUp {
  return { commit: { owner, repo, sha, branches, pullRequests } };
}

/**
 * Returns one notice per pull request. If GitHub lists none, as for a fork or before the pull
 * request is opened, returns one notice for the commit.
 */
function buildCheckNotices({ commit, summary }: ClosedCheckWindow): readonly AddressedNotice[] {
  if (summary === undefined) return [];
  const { owner, repo, sha, pullRequests } = commit;
  const createNotice = (topic: string, suffix: string, number: number | null): AddressedNotice => ({
    topic,
    notice: {
      text: describeChecks(`${owner}/${repo}${suffix}`, summary),
      data: {
        repository: `${owner}/${repo}`,
        sha,
        number,
        verdict: summary.verdict,
        failing: summary.failing,
      },
    },
  });
  if (pullRequests.length === 0) {
    return [createNotice(buildGithubTopic(commit, 'commit', sha, 'ci'), `@${sha.slice(0, 12)}`, null)];
  }
  return pullRequests.map((number) =>
    createNotice(buildGithubTopic(commit, 'pr', number, 'ci'), `#${number}`, number),
  );
}

function describeChecks(subject: string, { verdict, failing }: CheckSummary): string {
  return `${subject}: checks are ${verdict}${failing.length > 0 ? ` (${failing.join(', ')})` : ''}`;
}
