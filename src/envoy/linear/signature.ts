/** How Linear signs a delivery: the HMAC of the raw body in hexadecimal digits. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SigningScheme } from '../signed-text.ts';

/** Not by the library of Linear, which reads a clock of its own and says of nothing why it was refused. */
export const LINEAR_SIGNATURE: SigningScheme = {
  service: 'Linear',
  header: 'Linear-Signature',
  form: /^[0-9a-f]{64}$/,
  isOf: (signature, { bytes }, secret) =>
    timingSafeEqual(createHmac('sha256', secret).update(bytes).digest(), Buffer.from(signature, 'hex')),
};
