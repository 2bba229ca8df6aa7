/** Renders the handoff of a phase as Markdown for people. */
const HANDOFF_PARTS = {
  decided: 'Decided',
  done: 'Done',
  left: 'Left',
  files: 'Files',
  tests: 'Tests',
} as const;

/**
 * Returns undefined if there is no handoff. Accepts content of any shape, because older versions
 * wrote other shapes.
 */
export function renderHandoff(handoff: unknown): string | undefined {
  if (typeof handoff !== 'object' || handoff === null) return undefined;
  const { summary, details, ...content } = handoff as Readonly<Record<string, unknown>>;
  const parts = Object.entries(HANDOFF_PARTS).flatMap(([name, title]) => {
    const lines = content[name];
    if (!Array.isArray(lines) || lines.length === 0) return [];
    return [`${title}:\n${lines.map((line) => `- ${toText(line)}`).join('\n')}`];
  });
  return [
    ...(summary === undefined ? [] : [toText(summary)]),
    ...parts,
    ...(details === undefined ? [] : [renderDetails(details)]),
  ].join('\n\n');
}

function renderDetails(details: unknown): string {
  if (typeof details === 'string') return details;
  return `\`\`\`json\n${JSON.stringify(details, undefined, 2)}\n\`\`\``;
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
