export function ensurePackages(node: string): Promise<void>
