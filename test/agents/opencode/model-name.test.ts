/** Tests the parsing of model names. */
import { expect, test } from 'vitest';
import { parseModelName } from '../../../src/agents/opencode/configuration.ts';

test('a model name consists of a provider and a model, or of the model alone if a custom endpoint is used', () => {
  const endpoint = { url: 'http://gateway' };
  expect(parseModelName({})).toBeUndefined();
  expect(parseModelName({ model: 'openrouter/anthropic/claude' })).toEqual({
    providerID: 'openrouter',
    modelID: 'anthropic/claude',
  });
  expect(parseModelName({ model: 'a/b', endpoint })).toEqual({ providerID: 'legion', modelID: 'a/b' });
  for (const model of ['sonnet', '/x', 'x/'])
    expect(() => parseModelName({ model })).toThrow('provider/model');
  expect(() => parseModelName({ endpoint })).toThrow('requires a model');
});
