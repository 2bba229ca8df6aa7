import { describe, expect, it } from 'vitest';
import { LegionError } from '../../../../src/core/model/fault.ts';
import { findTeam } from '../../../../src/integrations/linear/client/teams.ts';

const teams = [
  { id: '7B1C9C1E-2f5a-4d0e-9a54-0d9a4f6a2b11', key: 'ENG', name: 'Engineering' },
  { id: '924320b3-c96b-410f-b8c4-43e1040229e8', key: 'OPS', name: 'Operations' },
  { id: '0a4320b3-c96b-410f-b8c4-43e1040229e8', key: 'DES', name: 'Design' },
  { id: '1a4320b3-c96b-410f-b8c4-43e1040229e8', key: 'DE2', name: 'design' },
  { id: '2a4320b3-c96b-410f-b8c4-43e1040229e8', key: 'MKT', name: 'ops' },
  { id: '3a4320b3-c96b-410f-b8c4-43e1040229e8', key: 'FIN', name: 'Finance' },
  { id: '4a4320b3-c96b-410f-b8c4-43e1040229e8', key: 'HR', name: 'People' },
];

describe('findTeam', () => {
  it.each([
    ['7b1c9c1e-2f5a-4d0e-9a54-0d9a4f6a2b11', 'ENG'],
    ['eng', 'ENG'],
    [' Engineering ', 'ENG'],
    ['ENGINEERING', 'ENG'],
    // A team key takes precedence over another team's name.
    ['ops', 'OPS'],
  ])('finds a team by %j', (text, key) => {
    expect(findTeam(teams, text).key).toBe(key);
  });
});

function faultOf(text: string, among = teams): LegionError {
  try {
    findTeam(among, text);
  } catch (error) {
    if (error instanceof LegionError) return error;
  }
  throw new Error('it was found');
}

describe('findTeam without a unique match', () => {
  it('rejects a name that two teams have, and lists both with their keys', () => {
    const { code, message } = faultOf('Design');
    expect(code).toBe('input.invalid');
    expect(message).toContain('DES ("Design"), DE2 ("design")');
  });

  it('rejects an unknown name and lists the closest teams, best match first', () => {
    const { code, message } = faultOf('Enginering');
    expect(code).toBe('linear.missing');
    expect(message).toMatch(/Closest of 7: ENG \("Engineering"\)/);
    expect(message.match(/\("/g)).toHaveLength(5);
  });

  it('reports that the account can see no team', () => {
    expect(faultOf('x\u0007', []).message).toBe('Unknown team "x\\u0007". The account cannot see any team');
  });

  it('rejects a blank name', () => {
    expect(faultOf(' ').code).toBe('linear.missing');
  });
});
