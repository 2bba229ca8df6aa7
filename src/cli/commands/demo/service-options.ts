/** The options of `legion demo` that name an agent, a GitHub or a Linear. */
import { type Command, Option, type OptionValues } from '@commander-js/extra-typings';
import type { AgentOptions } from './agent-options.ts';
import type { GithubOptions } from './github-options.ts';
import type { LinearOptions } from './linear-options.ts';

type ServiceOptions = AgentOptions & GithubOptions & LinearOptions;

export function addServiceOptions<Options extends OptionValues>(
  command: Command<[], Options>,
): Command<[], Options & ServiceOptions> {
  const inAgent = inGroup('A real agent instead of the scripted one:');
  const inLinear = inGroup('The board in a Linear:');
  const inGithub = inGroup('On a GitHub:');
  const options = [
    inAgent('--agent <AGENT>', 'claude-code, opencode or codex; it must be logged in'),
    inAgent('--model <MODEL>', 'Model of the agent'),
    inAgent('--model-url <URL>', 'Address of the model’s API, such as a gateway or your own model'),
    inAgent(
      '--key-variable <NAME>',
      'Environment variable that holds the key for --linear-url or, without it, for --model-url',
    ),
    inLinear('--linear-url <URL>', 'Put the issues there, for example `npm run linear -- --demo`'),
    inLinear('--team <KEY>', 'Team that is the board; it may have no open issues'),
    inGithub('--github-url <URL>', 'Use this GitHub, for example `npm run github -- --demo`'),
    inGithub('--project <OWNER/NUMBER>', 'Project that is the board; not with --linear-url'),
    inGithub('--repo <OWNER/NAME>', 'Repository with the sample project on its branch main'),
    inGithub(
      '--token-variable <NAME>',
      'Environment variable with your token; NAME_IMPL and NAME_REVIEW may hold those of the roles',
    ),
  ];
  for (const option of options) command.addOption(option);
  return command as unknown as Command<[], Options & ServiceOptions>;
}

function inGroup(heading: string) {
  return (flags: string, description: string) => new Option(flags, description).helpGroup(heading);
}
