export function ensureNode(release: [packageName: string, version: string]): Promise<string>
