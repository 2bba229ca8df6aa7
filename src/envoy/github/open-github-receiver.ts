/** Receives GitHub's webhooks: verifies, remembers, answers, and only then does what follows from them. */

import { verify } from '@octokit/webhooks-methods';
import { openDeliveries } from '../deliveries.ts';
import { headerOf, jsonOf } from '../delivery-parts.ts';
import { openPending } from '../pending.ts';
import type { Receiver } from '../receiver.ts';
import type { ReceiverOptions } from '../receiver-options.ts';
import { type SigningScheme, signedText } from '../signed-text.ts';
import { foldChecks } from './fold-checks.ts';
import { readEvent } from './read-event.ts';

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
