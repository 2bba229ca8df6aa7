import { expect, test } from 'vitest';
import { LEGION_DEFAULTS, type LegionConfig } from '../../../src/config/legion/schema.ts';
import { buildWorkerEnvironment } from '../../../src/daemon/composition/open-agents.ts';
import type { Agent } from '../../../src/ports/agent.ts';
import { REPEATER } from '../services/repeater.ts';

const DAEMON = {
  PATH: '/usr/bin',
  ANTHROPIC_API_KEY: 'of-the-agent',
  OPENAI_API_KEY: 'of-another',
  GATEWAY_KEY: 'of-the-gateway',
  NPM_TOKEN: 'allowed',
  CANARY: 'of-nobody',
};
const agent: Agent = { ...REPEATER, variables: ['ANTHROPIC_API_KEY'] };

function given(use = {}, worker_env: readonly string[] = []) {
  const config = {
    ...LEGION_DEFAULTS,
    credentials: { ...LEGION_DEFAULTS.credentials, worker_env },
  } as unknown as LegionConfig;
  return buildWorkerEnvironment({ environment: DAEMON, bin: '/legion/bin', config }, 'plan', agent, use);
}

test('passes only the agent’s credentials and the variables that the operator allows', () => {
  expect(given({}, ['NPM_TOKEN', 'NOT_THERE'])).toEqual({
    PATH: '/legion/bin:/usr/bin',
    ANTHROPIC_API_KEY: 'of-the-agent',
    NPM_TOKEN: 'allowed',
    GIT_AUTHOR_NAME: 'Legion plan',
    GIT_AUTHOR_EMAIL: 'legion@localhost',
    GIT_COMMITTER_NAME: 'Legion plan',
    GIT_COMMITTER_EMAIL: 'legion@localhost',
  });
});

test('passes the key of a custom endpoint instead of the provider’s key', () => {
  const env = given({ endpoint: { url: 'http://gateway', keyVariable: 'GATEWAY_KEY' } });
  expect(env).toMatchObject({ GATEWAY_KEY: 'of-the-gateway' });
  expect(env).not.toHaveProperty('ANTHROPIC_API_KEY');
});
