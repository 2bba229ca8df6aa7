/** Receives Linear's webhooks: verifies, remembers, answers, and only then does what follows from them. */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { LegionError } from '../../core/model/fault.ts';
import { type SigningScheme, signedText } from '../../integrations/webhook-support/signed-text.ts';
import { openDeliveries } from '../deliveries.ts';
import { headerOf, jsonOf } from '../delivery-parts.ts';
import { openPending } from '../pending.ts';
import type { Receiver } from '../receiver.ts';
import type { ReceiverOptions } from '../receiver-options.ts';
import { refuseStale } from './fresh.ts';
import type { Reader } from './mention.ts';
import { EVERYTHING, readEvent } from './read-event.ts';

export interface LinearReceiverOptions extends ReceiverOptions {
  readonly isOwn: Reader['isOwn'];
}

/** Linear always sends JSON. */
const NOT_JSON = 'something on its way has changed it before it was signed';

export function openLinearReceiver(options: LinearReceiverOptions): Receiver {
  const { secret, accounts, isOwn, clock, onTrouble } = options;
  const deliveries = openDeliveries(options.deliveries, clock, onTrouble);
  const pending = openPending(options);
  let isTold = false;

  /** Once: each of its kind would say the same, and what is meant is found by looking at everything. */
  function tellUnread(message: string): void {
    if (isTold) return;
    isTold = true;
    const then = 'such deliveries lead to a look at everything';
    onTrouble(new LegionError('input.invalid', `a webhook of Linear is not understood; ${then}: ${message}`));
  }

  return {
    async receive(delivery) {
      const text = await signedText(delivery, secret(), LINEAR_SIGNATURE);
      const body = jsonOf(text, NOT_JSON);
      refuseStale(body, clock.now());
      // Not signed: under another id the same body is read again, for as long as it is fresh, and costs one more look.
      const id = headerOf(delivery, 'Linear', 'linear-delivery', /^[A-Za-z\d-]{1,100}$/);
      const read = readEvent(body, { names: accounts(), isOwn });
      const findings = read.ok ? read.value : EVERYTHING;
      if (findings === undefined || !deliveries.isNew(id)) return { accepted: false };
      if (!read.ok) tellUnread(read.fault.message);
      pending.add(findings.wake, findings.notices);
      return { accepted: true };
    },
    async close() {
      pending.close();
    },
  };
}

/**
 * How Linear signs a delivery: the HMAC of the raw body in hexadecimal digits.
 * Not by the library of Linear, which reads a clock of its own and says of nothing why it was refused.
 */
const LINEAR_SIGNATURE: SigningScheme = {
  service: 'Linear',
  header: 'Linear-Signature',
  form: /^[0-9a-f]{64}$/,
  isOf: (signature, { bytes }, secret) =>
    timingSafeEqual(createHmac('sha256', secret).update(bytes).digest(), Buffer.from(signature, 'hex')),
};
