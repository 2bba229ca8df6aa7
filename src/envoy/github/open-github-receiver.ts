/** Receives GitHub's webhooks: verifies, remembers, answers, and only then does what follows from them. */
import type { Clock } from '../../domain/clock.ts';
import { LegionError } from '../../domain/fault.ts';
import { openDeliveries } from '../deliveries.ts';
import type { Envoy } from '../envoy.ts';
import { openPending } from '../pending.ts';
import type { Delivery, Receiver, WakeUp } from '../receiver.ts';
import { foldChecks } from './fold-checks.ts';
import { readEvent } from './read-event.ts';
import { signedText } from './signature.ts';

export interface GithubReceiverOptions {
  /** Asked for at each delivery, because it may be changed while the daemon runs. */
  readonly secret: () => string | undefined;
  /** The logins of Legion's accounts, which people speak to. */
  readonly accounts: () => readonly string[];
  /** Gets each thing once, however often it was named since the last call; is not called again before it is done. */
  readonly wake: (wakeUps: readonly WakeUp[]) => void | Promise<void>;
  readonly envoy: Pick<Envoy, 'publish'>;
  readonly clock: Clock;
  /** The file of the deliveries that came; its folder must be there. */
  readonly deliveries: string;
  /** Hears of what goes wrong after a delivery was accepted. */
  readonly onTrouble: (error: unknown) => void;
}

export function openGithubReceiver(options: GithubReceiverOptions): Receiver {
  const { secret, accounts, clock, onTrouble } = options;
  const deliveries = openDeliveries(options.deliveries, clock, onTrouble);
  const pending = openPending(options);
  const checks = foldChecks(clock, pending.add);
  return {
    async receive(delivery) {
      const text = await signedText(delivery, secret());
      // Neither header is signed. A lie in them changes what is looked at, never what is found there.
      const event = named(delivery, 'x-github-event', /^[a-z\d_]{1,100}$/);
      const id = named(delivery, 'x-github-delivery', /^[A-Za-z\d-]{1,100}$/);
      const findings = readEvent(event, json(text), accounts());
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

function named(delivery: Delivery, header: string, form: RegExp): string {
  const text = delivery.header(header);
  if (text === undefined || !form.test(text)) {
    throw new LegionError('input.invalid', `${header}: is missing, or not of the form GitHub gives it`);
  }
  return text;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const next = 'choose application/json as the content type of the webhook';
    throw new LegionError('http.body_invalid', `the body is signed but is not JSON; ${next}`, {
      cause: error,
    });
  }
}
