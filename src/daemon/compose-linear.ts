/** Opens Linear for a legion: the client in the name that the configuration gives, the tracker on a team, and what is known of its issues. */
import { join } from 'node:path';
import { z } from 'zod';
import type { LegionConfig } from '../config/legion/schema.ts';
import { requireReference } from '../config/reference.ts';
import type { IssueId } from '../core/model/ids.ts';
import type { Clock } from '../domain/clock.ts';
import type { Environment } from '../domain/environment.ts';
import type { Issue } from '../domain/issue.ts';
import type { LinearClient } from '../linear/client.ts';
import { linearCredential } from '../linear/credential.ts';
import { findMissingPermissions } from '../linear/may-write.ts';
import { askedOrRemembered } from './compose-remembered.ts';

import { type OpenTracker, type TrackerOptions, tellingOfAside } from './compose-tracker.ts';

/** Loaded only where it is used. */
export async function openLinearOf(
  config: LegionConfig,
  environment: Environment,
  clock: Clock,
): Promise<LinearClient> {
  const { openLinear } = await import('../integrations/linear/client/open.ts');
  const { linear } = config.credentials;
  const secret = (name: 'api_key' | 'access_token') => {
    const reference = linear[name];
    return reference && requireReference(`credentials.linear.${name}`, reference, environment);
  };
  const credential = linearCredential({
    apiKey: secret('api_key'),
    accessToken: secret('access_token'),
    environment,
  });
  return openLinear({ url: config.linear.url, credential, clock });
}

const viewerSchema = z.object({
  id: z.string().min(1),
  name: z.string(),
  email: z.string(),
  workspace: z.object({ name: z.string(), urlKey: z.string() }),
});

/** A reload changes columns and who is trusted; the team, only a restart. */
export async function linearTracker(
  options: TrackerOptions & {
    readonly environment: Environment;
    readonly tell: (what: object, message: string) => void;
  },
): Promise<OpenTracker> {
  const { config, settings, clock, troubles, environment, state } = options;
  const client = await openLinearOf(config(), environment, clock);
  try {
    const viewer = await askedOrRemembered(join(state, 'linear-viewer.json'), viewerSchema, () =>
      client.viewer(),
    );
    options.tell({}, `Linear: ${viewer.name} of ${viewer.workspace.name}`);
    const { openLinearTracker } = await import('../trackers/linear/open-linear-tracker.ts');
    const opened = await openLinearTracker({
      ...{ client, viewer, clock, legion: config().legion, team: config().legion },
      columns: () => settings().columns,
      authors: () => config().authors,
    });
    const tracker = tellingOfAside(opened, troubles);
    const seen = new Map<IssueId, Issue>();
    return {
      tracker: {
        ...tracker,
        async list(signal) {
          const issues = await tracker.list(signal);
          seen.clear();
          for (const issue of issues) seen.set(issue.id, issue);
          return issues;
        },
        async read(issue, signal) {
          const found = await tracker.read(issue, signal);
          if (found !== undefined) seen.set(found.id, found);
          return found;
        },
      },
      board: undefined,
      github: undefined,
      linear: {
        idOf: tracker.idOf,
        seen,
        account: viewer.name,
        missingPermissions: (signal) => findMissingPermissions(client, signal),
      },
      close: () => client.close(),
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}
