/** What no single key can get wrong: values that do not go together. */
import { validate as isUuid } from 'uuid';
import { MODES } from '../../domain/mode.ts';
import { ambiguousColumns, type ColumnNames, STATUSES } from '../../domain/status.ts';
import { found } from '../found.ts';
import type { Problem } from '../problem.ts';
import { PROJECT } from './board.ts';
import type { LegionConfig } from './schema.ts';
import { type Sources, sourceText } from './source.ts';

export function inconsistencies(config: LegionConfig, sources: Sources): readonly Problem[] {
  const where = (key: string) => sourceText(sources.get(key) ?? { from: 'default' });
  const problems: Problem[] = [];

  const form = LEGION_FORMS[config.backend];
  if (!form.fits(config.legion)) {
    const why = `because backend is ${config.backend} (${where('backend')})`;
    const isNamed = sources.get('legion')?.from !== 'default';
    const got = isNamed ? `got ${found(config.legion)}` : 'but it is missing';
    const says = `legion: expected ${form.allowed} ${why}, ${got}`;
    problems.push({ code: 'config.invalid', where: where(isNamed ? 'legion' : 'backend'), says });
  }
  for (const column of ambiguousColumns(config.statuses as ColumnNames)) {
    const [first, ...others] = claimants(column, config);
    const key = `statuses.${others.at(-1) ?? first}`;
    const says = `${key}: the column ${found(column)} already belongs to ${first}`;
    problems.push({ code: 'config.columns_ambiguous', where: where(key), says });
  }
  problems.push(...githubProblems(config, where), ...scriptedProblems(config, where));
  const { api_key, access_token } = config.credentials.linear;
  if (api_key !== undefined && access_token !== undefined) {
    const says =
      'credentials.linear.access_token: expected this or credentials.linear.api_key, but both are there';
    problems.push({ code: 'config.invalid', where: where('credentials.linear.access_token'), says });
  }
  return problems;
}

/** The scripted agent does no real work, so one line alone, perhaps copied from somewhere, does not start it. */
function scriptedProblems(config: LegionConfig, where: (key: string) => string): readonly Problem[] {
  if (config.scripted === 'allowed') return [];
  return (['default', ...MODES] as const).flatMap((mode) => {
    const { agent, fallback } = config.agents[mode] ?? {};
    const keys = [
      ...(agent === 'scripted' ? [`agents.${mode}.agent`] : []),
      ...(fallback?.agent === 'scripted' ? [`agents.${mode}.fallback.agent`] : []),
    ];
    return keys.map((key) => ({
      code: 'agent.scripted_not_allowed' as const,
      where: where(key),
      says: `${key}: the scripted agent does no real work and needs the line \`scripted: allowed\` besides; expected claude-code, opencode or codex without it`,
    }));
  });
}

/** An App is a number and a key; one without the other is a slip. */
function githubProblems(config: LegionConfig, where: (key: string) => string): readonly Problem[] {
  const { github } = config.credentials;
  const identities = { '': github, 'impl.': github.impl ?? {}, 'review.': github.review ?? {} };
  return Object.entries(identities).flatMap(([at, { app_id, private_key }]) => {
    if ((app_id === undefined) === (private_key === undefined)) return [];
    const [there, missing] = app_id === undefined ? ['private_key', 'app_id'] : ['app_id', 'private_key'];
    const key = `credentials.github.${at}${there}`;
    const says = `${key}: expected credentials.github.${at}${missing} beside it, but that is missing`;
    return [{ code: 'config.invalid' as const, where: where(key), says }];
  });
}

const LEGION_FORMS: Readonly<
  Record<LegionConfig['backend'], { allowed: string; fits(id: string): boolean }>
> = {
  local: { allowed: 'a name', fits: (id) => !id.includes('/') },
  github: { allowed: 'a GitHub owner/project-number', fits: (id) => PROJECT.test(id) },
  linear: { allowed: 'the UUID of a Linear team', fits: isUuid },
};

/** The statuses that claim a column, in the order of the pipeline. */
function claimants(column: string, { statuses }: LegionConfig): readonly string[] {
  const plain = (name: string) => name.trim().toLowerCase();
  return STATUSES.filter(
    (status) => statuses[status]?.some((name) => plain(name) === plain(column)) === true,
  );
}
