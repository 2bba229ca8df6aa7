/** The part of `legion.yaml` that says where workers run and how Legion reaches the world. */
import { WORKER_VARIABLE } from '../../domain/refused-variables.ts';
import { choice, list, secret, text, whole } from '../schema/leaf.ts';
import { section } from '../schema/section.ts';
import { path } from './board.ts';

/** A secret is named, never written: the file may be committed or shown. */
const reference = () =>
  secret('env:VARIABLE or file:/absolute/path', /^(?:env:[A-Za-z_][A-Za-z0-9_]*|file:(?:\/|~\/).+)$/);

/** An App acts as itself; a token as the account it belongs to. The App wins where both are named. */
const identity = {
  token: reference().optional(),
  app_id: whole(1, Number.MAX_SAFE_INTEGER).optional(),
  installation_id: whole(1, Number.MAX_SAFE_INTEGER).optional(),
  private_key: reference().optional(),
};

export const outside = {
  workspaces: section({
    root: path().optional(),
  }),
  credentials: section({
    worker_env: list(
      text(200, 'a variable that loads no code, such as MY_KEY', WORKER_VARIABLE),
      100,
      'a list of names of variables',
    ).optional(),
    github: section({
      ...identity,
      impl: section(identity).optional(),
      review: section(identity).optional(),
      /** `env`: agents that use `gh` themselves are given the token of their role. */
      workers: choice(['none', 'env']).optional(),
    }).optional(),
    /** A person's key, or the token of an OAuth app that acts as itself. */
    linear: section({
      api_key: reference().optional(),
      access_token: reference().optional(),
    }).optional(),
    webhooks: section({
      github: reference().optional(),
      linear: reference().optional(),
    }).optional(),
  }),
};
