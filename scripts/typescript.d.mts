export const sourceFlags: string[]
export const serviceFlags: string[]
export const serviceEnvironment: Record<string, string>
export function typeScriptCommand(
  node: string,
  file: string,
  args?: string[],
  flags?: string[],
): [command: string[], options: { cwd: string; env: NodeJS.ProcessEnv }]
