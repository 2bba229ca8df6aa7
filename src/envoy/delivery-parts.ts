/** The parts of a delivery that is believed: a header of a known form, and the body as JSON. */
import { LegionError } from '../core/model/fault.ts';
import type { Delivery } from './receiver.ts';

export function headerOf(delivery: Delivery, service: string, name: string, form: RegExp): string {
  const text = delivery.header(name);
  if (text === undefined || !form.test(text)) {
    throw new LegionError('input.invalid', `${name}: is missing, or not of the form ${service} gives it`);
  }
  return text;
}

/** `next` says how JSON is had from the service. */
export function jsonOf(text: string, next: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new LegionError('http.body_invalid', `the body is signed but is not JSON; ${next}`, {
      cause: error,
    });
  }
}
