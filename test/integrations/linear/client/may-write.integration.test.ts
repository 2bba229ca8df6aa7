import { expect, test } from 'vitest';
import { findMissingPermissions } from '../../../../src/integrations/linear/client/credential.ts';
import { linearStage } from './linear-client.ts';
import { never } from './wire.ts';

const stage = linearStage();

test('reports that a read-only key lacks a permission, without writing anything', async () => {
  const { linear, client } = stage();
  const key = linear.people.apiKey('ada', ['read']);
  expect(await findMissingPermissions(client({ key }), never)).toEqual([
    expect.stringMatching(/^Linear: the credential can read but not write: .*Write permission/),
  ]);
  expect(await findMissingPermissions(client(), never)).toEqual([]);
  expect(linear.snapshot().issues).toEqual([]);
});
