/** How a model is named. */
import { expect, test } from 'vitest';
import { modelName } from '../../../src/agents/opencode/model-name.ts';

test('a model is a provider and a name; behind an address of its own it is only a name', () => {
  const endpoint = { url: 'http://gateway' };
  expect(modelName({})).toBeUndefined();
  expect(modelName({ model: 'openrouter/anthropic/claude' })).toEqual({
    ...{ providerID: 'openrouter', modelID: 'anthropic/claude' },
  });
  expect(modelName({ model: 'a/b', endpoint })).toEqual({ providerID: 'legion', modelID: 'a/b' });
  for (const model of ['sonnet', '/x', 'x/']) expect(() => modelName({ model })).toThrow('provider/model');
  expect(() => modelName({ endpoint })).toThrow('needs a model');
});
