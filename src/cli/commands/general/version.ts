/** `legion version`: prints the version of this Legion. */
import { Command } from '@commander-js/extra-typings';
import { printJson, printPage } from '../../present/print.ts';
import { defineCommand } from '../../program/define-command.ts';
import { addJsonOption } from '../../program/options.ts';
import { version } from '../../version.ts';

export const versionCommand = defineCommand(
  () => addJsonOption(new Command().description('Print the version of Legion, as `legion --version` does.')),
  async ({ options: { json } }, context) => {
    if (json === true) printJson(context, { version: version(), node: process.versions.node });
    else printPage(context, `${version()}\n`);
    return undefined;
  },
);
