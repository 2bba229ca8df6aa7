/** What a worker says, under the identity its token proves. */
import { z } from 'zod';
import { LegionError } from '../../domain/fault.ts';
import { VERB_NAMES, VERBS } from '../../protocol/verb.ts';
import { VERB_ANSWERS } from '../../protocol/verb-answer.ts';
import { jsonAnswer } from '../answer.ts';
import { checked, type Route } from '../route.ts';

const place = z.strictObject({ verb: z.enum(VERB_NAMES) });
/** The same for every try of one message, so that none counts twice. */
const messageId = z.uuid().optional();

export const VERB_ROUTE: Route = {
  method: 'post',
  path: '/worker/:verb',
  summary:
    'say something as a worker; `Idempotency-Key` names the message, so that a second try is no second message',
  callers: ['worker'],
  takes: { params: place, body: z.union(VERB_NAMES.map((verb) => VERBS[verb].input)) },
  gives: { status: 200, type: 'application/json', schema: z.union(Object.values(VERB_ANSWERS)) },
  async perform({ daemon }, { caller, params, header, body }) {
    if (caller.is !== 'worker')
      throw new LegionError('http.forbidden', 'only a worker’s token may use this route');
    const { verb } = checked<z.output<typeof place>>(place, params, 'path');
    const message = checked<z.output<typeof messageId>>(
      messageId,
      header('idempotency-key'),
      'Idempotency-Key',
    );
    // Its form is the verb's to check: the daemon takes the same from an outbox, where no door has looked at it.
    return jsonAnswer(200, await daemon.speech.say(caller.worker, verb, await body(), message));
  },
};
