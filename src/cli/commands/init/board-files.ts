/** The files of a legion whose board is elsewhere, from what was found and asked, and the commands that come next. */
import type { CommandContext } from '../../command.ts';
import { REPOSITORY_FILE } from '../../repository-at.ts';
import { type BoardPart, boardFileText } from '../setup/init/write.ts';
import { type Answers, answersFrom, isGiven } from './answers.ts';
import { askWork } from './ask.ts';
import type { Ground, InitBoardOptions } from './board-ground.ts';
import { chooseAgent } from './choose-agent.ts';
import { choosePort } from './choose-port.ts';
import { planRepositoryFile } from './repository-file.ts';

const WORK_OPTIONS = ['agent', 'workers', 'approvalsArchitect', 'approvalsMerge'] as const;

export interface Beginning {
  readonly options: InitBoardOptions;
  readonly ground: Ground;
  /** The legion's id. */
  readonly legion: string;
  readonly part: BoardPart;
  /** A person is at the terminal and answers. */
  readonly asks: boolean;
}

/** Whole, before anything is made: an answer that the file cannot hold leaves nothing behind. */
export async function filesFor(
  { options, ground, legion, part, asks }: Beginning,
  context: CommandContext,
): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const { repository, file, kept } = ground;
  const usual = answersFrom({ ...options, backend: part.board.backend, legion }, repository);
  const asksWork = asks && !kept && !WORK_OPTIONS.some((option) => isGiven(options[option]));
  const agent = kept ? usual.agent : await agentOf(usual, asksWork, options.json === true, context);
  const asked: Answers = asksWork ? { ...usual, ...(await askWork(usual, context)) } : usual;
  const answers = { ...asked, agent, port: asked.port ?? (await choosePort(file, context.env)) };
  const { file: ofRepository, advice } = planRepositoryFile(
    kept ? { ...answers, approvals: { ...answers.approvals, merge: 'required' } } : answers,
    repository,
    options.force === true,
  );
  if (advice !== undefined) context.stderr.write(`${advice}\n`);
  return [
    ...(kept ? [] : [{ path: file, text: boardFileText(answers, part, file) }]),
    ...(ofRepository === undefined ? [] : [ofRepository]),
  ];
}

async function agentOf(
  { agent: named }: Answers,
  asks: boolean,
  json: boolean,
  context: CommandContext,
): Promise<Answers['agent']> {
  const { kind, note } = await chooseAgent(named, asks, context);
  if (!json) context.stdout.write(`${note}\n`);
  return kind;
}

/** `counts`: how the commands come to count once they are committed. */
export function stepsAfter(
  { commands }: InitBoardOptions,
  { repository }: Ground,
  { cwd }: CommandContext,
  counts: string,
): readonly string[] {
  return [
    ...(repository.path === cwd ? [] : [`cd ${repository.path}`]),
    ...(commands ? [`git add ${REPOSITORY_FILE} && git commit -m "Commands for Legion"${counts}`] : []),
    'legion up',
    ...(commands ? ['legion approve --commands'] : []),
    'legion doctor',
    'legion watch',
  ];
}
