export function npmCommand(node: string, ...args: string[]): string[]
