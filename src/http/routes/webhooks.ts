/** Webhooks of services: refused until a secret says which ones are genuine. */
import { z } from 'zod';
import { LegionError } from '../../domain/fault.ts';
import { checked, type Route } from '../route.ts';

const place = z.strictObject({ service: z.enum(['github', 'linear', 'slack']) });

export const WEBHOOK_ROUTE: Route = {
  method: 'post',
  path: '/webhooks/:service',
  summary: 'a service says that something has happened; always refused at present, because none has a secret',
  takes: { params: place },
  gives: { status: 204 },
  perform: async (_, { params }) => {
    const { service } = checked<z.output<typeof place>>(place, params, 'path');
    throw new LegionError('webhook.no_secret', `no secret is configured for webhooks of ${service}`);
  },
};
