/** Output of a program as Markdown. The fence is longer than any inside, so that nothing of it is read as markup or as a mention. */

export function quoteAsCode(output: string): string {
  const longest = Math.max(2, ...[...output.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${output}\n${fence}`;
}
